//! Switches: each enables one construct, model, assumption or fault in the generator. Each program has a random subset of them on.

use crate::random::dice::Dice;

macro_rules! switches {
    ($($name:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Switch { $($name),* }

        impl Switch {
            pub const ALL: &[Switch] = &[$(Switch::$name),*];
        }
    };
}

switches! {
    // Models
    Messages Rounds Radio CollisionDetection TransmitterFeedback Beeps ReadsNeighbours Pairs Oracle OraclesErr
    BoundedDelay Timers Synchronizer Layer Problem OracleCall LayerCall TimerCommand Upcall
    CentralDaemon SynchronousDaemon DistributedDaemon
    // Networks
    Complete UnidirectionalRing BidirectionalRing UnorientedRing Star Line Graph OneProcess SelfLoop TwoLinks ThreeProcesses
    // Assumptions
    Unordered Anonymous EqualIds IntegerIds Peers AddressableIds KnowsN Weights KnowsNeighbours Roles VirtualRing
    SpontaneousStart SomeInitiators Randomness
    // Faults
    Crashes MessagesSurvive Restarts Loses Duplicates LinksFail Detector PerfectDetector EventuallyPerfect Suspicions
    // Declarations
    StableVar RangeVar OptionalVar SetVar ListVar MapVar TupleVar RecordVar EnumVar IdVar PortVar PortSet PortMap NestedMap
    AnyInitial AnyId AnyPort RandomInitial Outputs OutputInitially OutputDefined Param Const Function Procedure
    // Expressions
    Add Subtract Multiply Div Mod Negate MaxMin MaxOfSet Abs Pow Log SizeOf SumOfSet HeadLast Index Lookup Conditional Count Sum
    ForAll Exists Least Greatest LeastBy WithGuard TwoBinders In InRange Range NearLimit SetFilter SetOf ListOf MapOf Union Minus
    Intersection Except Concatenate MapPlus Keys Values Sort Components Compare CompareCompound Inclusion And Or Not Implies Iff
    StateTest IsNone PortOrder RandomElement Coin FarEnd RoleBinder BinderPattern WeightOf NeighbourId
    // Statements
    AssignTwo AssignKey AssignComponent TupleTarget Local SendPort SendSet SendSelf SendSender SendBare SendTwice Choose If Else Overlap Do
    ForSet ForPorts Remove Become BecomeBack Halt Call
    // Waiting
    Receive ReceiveFrom ReceiveInto FromEach Await Pause GuardedWait WaitLoop After ForWaiting Defer Ignore Always On OnFrom OnWhen LiteralPattern IgnoreTimeout
    When WhenSome AfterState OnTimeout OnWakeup OnArrival OnSuspect OnTrust OnRestart
    // Rounds
    RoundStatement AwaitRound AwaitArrived ReceivedGuard ReceivedSet ReceivedQuantifier Heard
    // Properties
    Invariant Stable Finally Eventually Settles LeadsTo Bound Exactly Order ForEach FailingProperty CostMessages CostBits CostTime
    CostRounds CostPer CostOnBothSides CostPremise PropertyPorts Enabled
    // Properties of the history
    OrderShapes OrderChain OrderPremise OrderForEach HistoryCount HistoryAndState HistoryInOthers
    // Views
    ViewWithout ViewShift LeftOutCommand ShiftCommand
    // Patterns in which wrong verdicts have been found
    UnlikeFromEach ManyInRound RestartReceived WakeupReceived OptionalCompared UnorderedView PortTurns NestedTurn ListInSet LeastByName
    LeastOfList ViewOfSenders FirstLocal PartOfLocal WaitingLayer FailingStable FailingLimit FarRange FailingRangeEnd FailingQuantifier
}

/// The switches that most programs need for nontrivial behaviour.
const CORE: &[Switch] = {
    use Switch::*;
    &[
        SendPort,
        SendSet,
        Receive,
        On,
        OnFrom,
        OnWhen,
        If,
        Compare,
        GuardedWait,
        Complete,
        Problem,
        OrderShapes,
        OrderChain,
        Always,
        Ignore,
        ReceivedGuard,
        Anonymous,
        FromEach,
        UnlikeFromEach,
        ManyInRound,
        RestartReceived,
        WakeupReceived,
        PortTurns,
        NestedTurn,
        ListInSet,
        LeastByName,
        LeastOfList,
        ViewOfSenders,
        FirstLocal,
        PartOfLocal,
        WaitingLayer,
        FailingStable,
        FailingLimit,
        FarRange,
        FailingRangeEnd,
        FailingQuantifier,
    ]
};

/// Profiles. A program with a profile uses its switches wherever it can: a pattern, and what the pattern needs. The patterns that
/// otherwise arise least often come twice.
pub const PROFILES: &[&[Switch]] = {
    use Switch::*;
    &[
        &[NestedTurn, NestedMap, Star, ThreeProcesses],
        &[NestedTurn, NestedMap, Star, ThreeProcesses],
        &[PortTurns, PortMap, Star, ThreeProcesses],
        &[PortTurns, PortMap, Star, ThreeProcesses],
        &[LeastByName, ThreeProcesses],
        &[LeastOfList, ThreeProcesses],
        &[ListInSet],
        &[UnorderedView, ViewWithout, Unordered],
        &[UnorderedView, ViewWithout, Unordered],
        &[ViewOfSenders, ViewWithout],
        &[FirstLocal, ViewShift],
        &[PartOfLocal, ViewShift],
        &[WaitingLayer, Layer, ViewWithout],
        &[UnlikeFromEach, FromEach, Unordered],
        &[FailingStable],
        &[FailingLimit, Bound, Exactly],
        &[FailingLimit, Bound, Exactly],
        &[CostOnBothSides, CostMessages, Bound, Exactly],
        &[CostPremise, CostMessages, Bound, Exactly],
        &[CostPremise, CostMessages, Bound, Exactly],
        &[FailingQuantifier],
        &[FailingRangeEnd, InRange],
        &[FailingRangeEnd, InRange],
        &[FarRange],
        &[OptionalCompared, OptionalVar],
        &[ManyInRound, Rounds, Unordered],
        &[RestartReceived, Rounds, Crashes, Restarts],
        &[WakeupReceived, Rounds, SpontaneousStart, OnWakeup],
    ]
};

/// A set of switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches(Vec<bool>);

impl Switches {
    pub fn none() -> Switches {
        Switches(vec![false; Switch::ALL.len()])
    }

    /// Return a random subset, of random density.
    pub fn random(dice: &mut Dice) -> Switches {
        let density = 25 + 10 * dice.below(8);
        let chance = |s: &Switch| if CORE.contains(s) { density.max(85) } else { density };
        Switches(Switch::ALL.iter().map(|s| dice.chance(chance(s))).collect())
    }

    pub fn has(&self, switch: Switch) -> bool {
        self.0[switch as usize]
    }

    pub fn set(&mut self, switch: Switch, on: bool) {
        self.0[switch as usize] = on;
    }

    pub fn all(&self) -> impl Iterator<Item = Switch> + '_ {
        Switch::ALL.iter().copied().filter(|s| self.has(*s))
    }
}
