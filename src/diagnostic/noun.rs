//! The kinds of things that have names.

phrases! {
    /// The kind of thing that a name denotes, or should denote.
    #[derive(Copy)]
    Noun {
        Algorithm = "algorithm";
        Case = "case";
        Constant = "constant";
        FieldOrVariable = "field or variable";
        Function = "function";
        FunctionOrMessage = "function or message";
        Layer = "layer";
        Message = "message";
        MessageOrFunction = "message or function";
        MessageOrRecord = "message or record";
        MessageOrVariable = "message or variable";
        Operation = "operation";
        Output = "output";
        Parameter = "parameter";
        Problem = "problem";
        Procedure = "procedure";
        ProcedureOrOperation = "procedure or operation";
        Property = "property";
        Role = "role";
        State = "state";
        Type = "type";
        Upcall = "upcall";
        Variable = "variable";
    }
}
