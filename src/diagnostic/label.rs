//! Other places that explain a finding.

use crate::prose::a;

phrases! {
    /// The text at a related place.
    Label {
        Declared = "declared here";
        DeclaredByProblem = "declared by the problem";
        Defined = "defined here";
        Assumed = "assumed here";
        Assumptions = "the assumptions";
        AlgorithmAssumes = "what the algorithm assumes";
        LayerAssumes = "the assumption of the layer";
        FirstDeclaration = "the first declaration";
        FirstHeader = "the first header";
        FirstOne = "the first one";
        FirstAssigned = "first assigned here";
        FirstGiven = "first given here";
        FirstNamed = "first named here";
        FirstSet = "first set here";
        Variable = "the variable";
        Operation = "an operation";
        Output(readers: String) = "the output, which {readers}";
        Upcall = "the upcall";
        ProblemHandles = "the problem handles it here";
        PropertyOfProblem = "the property of the problem";
        Initiators = "the initiators";
        PreviousCall = "its previous call";
        Called = "called here";
        Handled = "handled here";
        Compared = "compared here";
        Here = "here";
        Type(ty: String) = "{} here" (a(ty));
        Passed(ty: String) = "{} is passed here" (a(ty));
        Needed(ty: String) = "{} is needed here" (a(ty));
        DeclaredAs(ty: String) = "{}" (a(ty));
        NoInitialValue(ty: String) = "{} has no initial value" (a(ty));
        LoopEnds = "this loop ends only by `become` or `halt`";
        CommandEnds = "the command ends here at the latest";
        LayerBody = "a state of the layer with a body";
        AlgorithmBody = "this state also has a body";
        OtherLayerBody(layer: String) = "this state of the layer `{layer}` also has a body";
        CalledFromOutside = "this operation is called from outside, which needs another thread";
        NoEnd = "blocks do not end with `end`";
        BracesEncloseCollections = "braces enclose collections, not blocks";
        OpenBlock = "the open block";
        FiEndsStatement = "this `fi` ends a statement";
        OdEndsLoop = "this `od` ends the loop";
        ExpectedBefore(closing: &'static str) = "expected `{closing}` before this";
    }
}
