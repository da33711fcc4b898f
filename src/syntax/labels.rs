//! Descriptions of all grammar rules: what error messages name as expected.

use crate::syntax::rule::Rule;

/// The role of a rule in messages and in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// A part of a program, with its description.
    Part(&'static str),
    /// A keyword or a sign, which the tree does not need.
    Sign(&'static str),
    /// An operator, or another continuation of a complete expression: rarely what is missing.
    Continuation(&'static str),
    /// Never named in messages.
    Silent,
}

pub const AN_OPERATOR: &str = "an operator";

/// Exhaustive on purpose: a new rule does not compile without a description.
#[allow(clippy::too_many_lines, reason = "a table: one row for each rule")]
pub fn label(rule: Rule) -> Label {
    use Label::{Continuation, Part, Sign, Silent};
    match rule {
        Rule::EOI => Part("the end of the clause"),
        Rule::clause
        | Rule::algorithm
        | Rule::problem
        | Rule::assumes
        | Rule::uses
        | Rule::message
        | Rule::enumeration
        | Rule::record
        | Rule::constant
        | Rule::parameter
        | Rule::variable
        | Rule::function
        | Rule::procedure
        | Rule::operation
        | Rule::client
        | Rule::role
        | Rule::state
        | Rule::always
        | Rule::on_handler
        | Rule::when_handler
        | Rule::after_handler
        | Rule::deferral
        | Rule::ignorance
        | Rule::stamps
        | Rule::view
        | Rule::property
        | Rule::scenario => Part("a clause"),
        Rule::lone_expr
        | Rule::expr
        | Rule::operand
        | Rule::conditional
        | Rule::quantified
        | Rule::best
        | Rule::arrived
        | Rule::metric
        | Rule::history
        | Rule::int
        | Rule::text
        | Rule::truth
        | Rule::none
        | Rule::any_value
        | Rule::empty_set
        | Rule::own_layer
        | Rule::group
        | Rule::list
        | Rule::braces
        | Rule::setting_value
        | Rule::values => Part("an expression"),
        Rule::argument => Continuation("an expression"),
        Rule::name | Rule::component => Part("a name"),
        Rule::word | Rule::option_choice => Part("a word"),
        Rule::problem_param => Part("an option"),
        Rule::variant_of => Part("`variant of`"),
        Rule::solves => Part("`solves`"),
        Rule::without | Rule::view_without => Part("`without`"),
        Rule::view_shift | Rule::viewed => Part("a variable, or a field as in `Request.stamp`"),
        Rule::counted => Part("a message, of one layer as in `Left.Request`, or a layer"),
        Rule::default_option => Part("`=` and the default"),
        Rule::assumption => Part("an assumption"),
        Rule::assumption_bound => Part("a comparison"),
        Rule::used => Part("an algorithm"),
        Rule::used_arg => Part("`key: value`"),
        Rule::alias => Part("`as`"),
        Rule::message_decl | Rule::message_guard => Part("a message"),
        Rule::params => Part("`(` and parameters"),
        Rule::param => Part("a parameter"),
        Rule::type_expr
        | Rule::set_type
        | Rule::list_type
        | Rule::queue_type
        | Rule::map_type
        | Rule::tuple_type
        | Rule::bounds
        | Rule::bound => Part("a type"),
        Rule::annotation => Part("`:` and a type"),
        Rule::when_some => Part("`some x in S`"),
        Rule::layer => Part("a layer"),
        Rule::when_guard => Part("`when`"),
        Rule::with_guard | Rule::settings => Part("`with`"),
        Rule::origin | Rule::arrived_from => Part("`from`"),
        Rule::each_of => Part("`each`"),
        Rule::optional => Continuation("`?`"),
        Rule::block
        | Rule::statement
        | Rule::skip
        | Rule::send
        | Rule::receive
        | Rule::wait
        | Rule::choice
        | Rule::repetition
        | Rule::iteration
        | Rule::become_state
        | Rule::halt
        | Rule::pause
        | Rule::round
        | Rule::transmit
        | Rule::listen
        | Rule::remove
        | Rule::choose
        | Rule::set_timer
        | Rule::cancel_timer
        | Rule::assignment_or_call => Part("a statement"),
        Rule::place | Rule::tuple_place => Part("a variable"),
        Rule::destination => Part("`to`"),
        Rule::branch
        | Rule::guard
        | Rule::later_guard
        | Rule::plain_guard
        | Rule::message_arrives
        | Rule::time_passes => Part("a guard"),
        Rule::pattern
        | Rule::tuple_pattern
        | Rule::literal_pattern
        | Rule::message_pattern
        | Rule::place_pattern
        | Rule::binder => Part("a pattern"),
        Rule::pattern_args | Rule::act_call => Part("`(`"),
        Rule::call => Continuation("`(`"),
        Rule::binders => Part("names to bind"),
        Rule::forall => Continuation("`forall`"),
        Rule::some => Continuation("`some`"),
        Rule::count => Continuation("`count`"),
        Rule::sum => Continuation("`sum`"),
        Rule::least => Continuation("`least`"),
        Rule::greatest => Continuation("`greatest`"),
        Rule::arrived_sign => Continuation("`arrived`"),
        Rule::by => Continuation("`by`"),
        Rule::metric_of => Continuation("`of`"),
        Rule::metric_to_self => Continuation("`to self`"),
        Rule::metric_per => Continuation("`per`"),
        Rule::comprehension => Part("`for`"),
        Rule::filter => Part("`|`"),
        Rule::empty_map | Rule::map_rest => Part("`:`"),
        Rule::property_kind => Part("a kind of property"),
        Rule::leads_to => Part("`leads to`"),
        Rule::topology | Rule::topology_family => Part("a topology"),
        Rule::topology_arguments => Continuation("`(`"),
        Rule::setting | Rule::round_robin => Part("a setting"),
        Rule::line
        | Rule::act
        | Rule::note
        | Rule::initially
        | Rule::hold
        | Rule::release
        | Rule::delivery
        | Rule::wake
        | Rule::crash
        | Rule::restart
        | Rule::lie
        | Rule::suspicion
        | Rule::loss
        | Rule::duplication
        | Rule::cut
        | Rule::slow
        | Rule::at
        | Rule::pick
        | Rule::step
        | Rule::expiry
        | Rule::cycle
        | Rule::expectation => Part("a line of the scenario"),
        Rule::link_end => Part("a process"),
        Rule::release_link | Rule::delivered | Rule::link => Part("`A -> B`"),
        Rule::crash_point => Part("`before send`"),
        Rule::crash_receivers => Part("`to` and the processes that do not receive it"),
        Rule::pick_number => Part("`option` and its number"),
        Rule::expected_outcome | Rule::expected_verdict | Rule::expected_again => Part("an expectation"),
        Rule::index => Continuation("`[`"),
        Rule::field => Continuation("`.`"),
        Rule::arrow => Sign("`->`"),
        Rule::assign => Sign("`:=`"),
        Rule::square => Sign("`[]`"),
        Rule::equals => Sign("`=`"),
        Rule::comma => Sign("`,`"),
        Rule::colon => Sign("`:`"),
        Rule::semicolon => Sign("`;`"),
        Rule::bar => Sign("`|`"),
        Rule::slash => Sign("`/`"),
        Rule::open_paren => Sign("`(`"),
        Rule::close_paren => Sign("`)`"),
        Rule::open_bracket => Sign("`[`"),
        Rule::close_bracket => Sign("`]`"),
        Rule::open_brace => Sign("`{`"),
        Rule::close_brace => Sign("`}`"),
        Rule::operator_follows => Continuation(AN_OPERATOR),
        Rule::op_iff => Continuation("`iff`"),
        Rule::op_implies => Continuation("`implies`"),
        Rule::op_or => Continuation("`or`"),
        Rule::op_and => Continuation("`and`"),
        Rule::op_not => Continuation("`not`"),
        Rule::op_equal => Continuation("`=`"),
        Rule::op_not_equal => Continuation("`!=`"),
        Rule::op_less => Continuation("`<`"),
        Rule::op_less_equal => Continuation("`<=`"),
        Rule::op_greater => Continuation("`>`"),
        Rule::op_greater_equal => Continuation("`>=`"),
        Rule::op_in => Continuation("`in`"),
        Rule::op_not_in => Continuation("`not in`"),
        Rule::op_before => Continuation("`before`"),
        Rule::op_happened_before => Continuation("`happened before`"),
        Rule::op_range => Continuation("`..`"),
        Rule::op_add => Continuation("`+`"),
        Rule::op_subtract => Continuation("`-`"),
        Rule::op_multiply => Continuation("`*`"),
        Rule::op_div => Continuation("`div`"),
        Rule::op_mod => Continuation("`mod`"),
        Rule::op_intersect => Continuation("`inter`"),
        Rule::op_negate => Continuation("`-`"),
        Rule::k_after => Sign("`after`"),
        Rule::k_algorithm => Sign("`algorithm`"),
        Rule::k_always => Sign("`always`"),
        Rule::k_as => Sign("`as`"),
        Rule::k_assumes => Sign("`assumes`"),
        Rule::k_at => Sign("`at`"),
        Rule::k_await => Sign("`await`"),
        Rule::k_become => Sign("`become`"),
        Rule::k_bits => Sign("`bits`"),
        Rule::k_by => Sign("`by`"),
        Rule::k_calls => Sign("`calls`"),
        Rule::k_cancel => Sign("`cancel`"),
        Rule::k_channel => Sign("`channel`"),
        Rule::k_choose => Sign("`choose`"),
        Rule::k_client => Sign("`client`"),
        Rule::k_const => Sign("`const`"),
        Rule::k_crash => Sign("`crash`"),
        Rule::k_cut => Sign("`cut`"),
        Rule::k_defer => Sign("`defer`"),
        Rule::k_delay => Sign("`delay`"),
        Rule::k_deliver => Sign("`deliver`"),
        Rule::k_do => Sign("`do`"),
        Rule::k_duplicate => Sign("`duplicate`"),
        Rule::k_each => Sign("`each`"),
        Rule::k_else => Sign("`else`"),
        Rule::k_enum => Sign("`enum`"),
        Rule::k_expect => Sign("`expect`"),
        Rule::k_fi => Sign("`fi`"),
        Rule::k_for => Sign("`for`"),
        Rule::k_from => Sign("`from`"),
        Rule::k_function => Sign("`function`"),
        Rule::k_halt => Sign("`halt`"),
        Rule::k_hold => Sign("`hold`"),
        Rule::k_holds => Sign("`holds`"),
        Rule::k_if => Sign("`if`"),
        Rule::k_ignore => Sign("`ignore`"),
        Rule::k_initial => Sign("`initial`"),
        Rule::k_initially => Sign("`initially`"),
        Rule::k_leads => Sign("`leads`"),
        Rule::k_list => Sign("`list`"),
        Rule::k_listen => Sign("`listen`"),
        Rule::k_map => Sign("`map`"),
        Rule::k_lose => Sign("`lose`"),
        Rule::k_message => Sign("`message`"),
        Rule::k_messages => Sign("`messages`"),
        Rule::k_notes => Sign("`notes`"),
        Rule::k_od => Sign("`od`"),
        Rule::k_of => Sign("`of`"),
        Rule::k_on => Sign("`on`"),
        Rule::k_operation => Sign("`operation`"),
        Rule::k_otherwise => Sign("`otherwise`"),
        Rule::k_outcome => Sign("`outcome`"),
        Rule::k_output => Sign("`output`"),
        Rule::k_param => Sign("`param`"),
        Rule::k_pause => Sign("`pause`"),
        Rule::k_self => Sign("`self`"),
        Rule::k_per => Sign("`per`"),
        Rule::k_persistent => Sign("`persistent`"),
        Rule::k_problem => Sign("`problem`"),
        Rule::k_procedure => Sign("`procedure`"),
        Rule::k_queue => Sign("`queue`"),
        Rule::k_receive => Sign("`receive`"),
        Rule::k_record => Sign("`record`"),
        Rule::k_release => Sign("`release`"),
        Rule::k_remove => Sign("`remove`"),
        Rule::k_restart => Sign("`restart`"),
        Rule::k_mislead => Sign("`mislead`"),
        Rule::k_returns => Sign("`returns`"),
        Rule::k_role => Sign("`role`"),
        Rule::k_round => Sign("`round`"),
        Rule::k_rounds => Sign("`rounds`"),
        Rule::k_scenario => Sign("`scenario`"),
        Rule::k_send => Sign("`send`"),
        Rule::k_set => Sign("`set`"),
        Rule::k_shift => Sign("`shift`"),
        Rule::k_skip => Sign("`skip`"),
        Rule::k_solves => Sign("`solves`"),
        Rule::k_without => Sign("`without`"),
        Rule::k_stamps => Sign("`stamps`"),
        Rule::k_state => Sign("`state`"),
        Rule::k_suspect => Sign("`suspect`"),
        Rule::k_then => Sign("`then`"),
        Rule::k_time => Sign("`time`"),
        Rule::k_timer => Sign("`timer`"),
        Rule::k_to => Sign("`to`"),
        Rule::k_transmit => Sign("`transmit`"),
        Rule::k_trust => Sign("`trust`"),
        Rule::k_upcalls => Sign("`upcalls`"),
        Rule::k_up => Sign("`up to shift`"),
        Rule::k_uses => Sign("`uses`"),
        Rule::k_var => Sign("`var`"),
        Rule::k_variant => Sign("`variant`"),
        Rule::k_view => Sign("`view`"),
        Rule::k_again => Sign("`again`"),
        Rule::k_cycle => Sign("`cycle`"),
        Rule::k_expire => Sign("`expire`"),
        Rule::k_option => Sign("`option`"),
        Rule::k_step => Sign("`step`"),
        Rule::k_violated => Sign("`violated`"),
        Rule::k_wake => Sign("`wake`"),
        Rule::k_when => Sign("`when`"),
        Rule::k_with => Sign("`with`"),
        Rule::former_exists => Continuation("`some`"),
        Rule::former_except => Continuation("`-`"),
        Rule::former_received => Continuation("`arrived`"),
        Rule::former_any => Continuation("`initially`"),
        Rule::former_else => Sign("`otherwise`"),
        Rule::former_process => Sign("`role`"),
        Rule::former_stable => Sign("`persistent`"),
        Rule::binder_follows
        | Rule::same_line
        | Rule::blank
        | Rule::space
        | Rule::channel_word
        | Rule::comparison
        | Rule::infix
        | Rule::inside
        | Rule::postfix
        | Rule::prefix
        | Rule::primary
        | Rule::quantifier
        | Rule::start
        | Rule::reserved
        | Rule::WHITESPACE
        | Rule::also_name
        | Rule::opens_tuple
        | Rule::target
        | Rule::parenthesized
        | Rule::COMMENT => Silent,
    }
}
