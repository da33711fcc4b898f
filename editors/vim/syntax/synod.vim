" Synod, a guarded-command language for distributed algorithms.
" The word lists are those of ../../keywords.json; tests/suite/editors.rs compares them.
if exists('b:current_syntax')
  finish
endif

syn case match
syn sync minlines=200

" Names that are given and used. What follows takes precedence.
syn match synodCall /\<\h\w*(\@=/
syn match synodCapital /\<\u\w*\>/

" Predefined names. Matches, so that a scenario may be called like one of them.
syn match synodPredefined /\<\%(children\|columns\|degree\|diameter\|east\|edges\|everybody\|heard\|id\|initiator\|initiators\|left\|n\|neighbours\|next\|north\|others\|parent\|participants\|prev\|processes\|received\|right\|rows\|south\|west\)\>(\@!/
syn keyword synodType Bool Heard Id Int Port Value
" They are functions where a bracket touches them, and may be the names of other things elsewhere.
syn match synodBuiltin /\<\%(abs\|chord\|coin\|connects\|dimension\|far_end\|first\|has\|head\|identifier\|ids\|int\|keys\|last\|list\|log2_ceil\|log2_floor\|max\|min\|multicast_before\|neighbour\|opposite\|port\|pow\|random\|second\|set\|size\|sort\|sum\|tail\|values\|weight\)(\@=/

" Reserved words.
syn keyword synodClause after algorithm always assumes client const defer enum eventually finally function
syn keyword synodClause ignore initial invariant message on operation output param problem procedure
syn keyword synodClause record role scenario state uses var when
syn keyword synodStatement await become choose from halt listen pause receive remove send skip to
syn keyword synodStatement transmit with
syn keyword synodConditional if fi then else otherwise
syn keyword synodRepeat do od for
syn keyword synodOperator and before div iff implies in inter mod not or
syn keyword synodQuantifier forall some
syn keyword synodConstant any false none true
syn keyword synodMetric bits messages rounds time

" Keywords come before matches, so this is none: `round-robin` is another word.
syn match synodStatement /\<round\>-\@!/

" Words that mean something in their places only.
" clause
syn match synodClause /\<\%(bound\|exactly\|leads\|order\|settles\|stable\)\>\%(\s\+\h\w*\s*\%(:=\@!\|for\>\)\)\@=/
syn match synodClause /\<persistent\>\%(\s\+var\>\)\@=/
syn match synodClause /\%(^\s*output\>.*\)\@<=\<initially\>/
syn match synodClause /\<leads\s\+to\>/
syn match synodClause /\<stamps\s\+notes\>/
syn match synodClause /^\s*\zsview\>\%(\s\+\h\w*\%(\.\h\w*\)\=\s*\%(,\|\<up\>\)\|\s\+without\>\)\@=/
syn match synodClause /\<up\s\+to\s\+shift\>/
" header
syn match synodHeader /\<\%(solves\|variant\|without\)\>\%(\s\+\h\)\@=/
syn match synodHeader /\%(\<variant\s\+\)\@<=of\>/
syn match synodHeader /\<as\>\%(\s\+\h\w*\s*\%(:=\)\@!\)\@=/
" statement
syn match synodStatement /\<\%(set\|cancel\)\s\+timer\>/
syn match synodStatement /\<each\>\%(\s\+\h\w*\s\+\%(in\>\|∈\)\)\@=/
" operator
syn match synodOperator /\<happened\>\%(\s\+before\>\)\@=/
" quantifier
syn match synodQuantifier /\<\%(arrived\|count\|greatest\|least\|sum\)\>\%([ \t]\+\%((\|\%(\%(after\|algorithm\|always\|and\|any\|assumes\|await\|become\|before\|bits\|choose\|client\|const\|defer\|div\|do\|else\|enum\|eventually\|except\|exists\|false\|fi\|finally\|for\|forall\|from\|function\|halt\|if\|iff\|ignore\|implies\|in\|initial\|inter\|invariant\|listen\|message\|messages\|mod\|none\|not\|od\|on\|operation\|or\|otherwise\|output\|param\|pause\|problem\|procedure\|process\|receive\|record\|remove\|role\|round\|rounds\|scenario\|send\|skip\|some\|state\|then\|time\|to\|transmit\|true\|uses\|var\|when\|with\)\>\)\@!\h\)\)\@=/
syn match synodQuantifier /\<by\>\%(\s*\%(:=\|←\)\)\@!/
" metric
syn match synodMetric /\<\%(calls\|returns\|upcalls\)\s\+of\>/
syn match synodMetric /\%(\<\%(messages\|bits\)\s\+\)\@<=of\>/
syn match synodMetric /\%(\<messages\%(\s\+of\s\+\h\w*\%(\.\h\w*\)*\)\=\s\+to\s\+\)\@<=self\>/
syn match synodMetric /\<per\>\%(\s\+\h\)\@=/
" type
syn match synodType /\<\%(list\|map\|queue\|set\)\s\+of\>/

" Signs.
syn match synodSign /:=\|!=\|<=\|>=\|\.\.\|[=<>+*?↝]\|[-←≠≤≥∈∉∧∨¬⇒⇔∀∃∪∖∩×]/
syn match synodBranch /->\|→\|□\|\%(^\|\s\)\@1<=\[\]\%(\s\|$\)\@=/
syn match synodConstant /[⊥∅]/
syn match synodError /==\|&&\|||\|+=\|-=\|=>\|!=\@!\|%/

syn match synodNumber /\<\d\+\>/
syn match synodError /\<\d\+\h\w*/
" A part of a value, no keyword: `p.time`. It begins with its dot, since keywords come before matches.
syn match synodField /[[:alnum:]_)\]]\@1<=\.\h\w*/ contains=synodCall

" A setting of a scenario, no keyword: it begins with the blank before it, for the same reason.
syn match synodSetting /\smessages\s\+survive\>/

" Assumptions are words of their own, until a bound or the next clause.
syn region synodAssumptions start=/\%(\<assumes\>\)\@<=\s/ end=/\%(,\_s*\|assumes\s\+\)\@<!\%(^\s*\%(\%(after\|algorithm\|always\|assumes\|client\|const\|defer\|enum\|eventually\|finally\|function\|ignore\|initial\|invariant\|message\|on\|operation\|output\|param\|problem\|procedure\|record\|role\|scenario\|state\|uses\|var\|when\)\>\|\%(stable\|leads\|bound\|exactly\|order\)\s\+\h\w*\s*\%(:=\@!\|for\>\)\|persistent\s\+var\>\|stamps\s\+notes\>\|view\s\+\h\w*\%(\.\h\w*\)\=\s*\%(,\|\h\)\)\)\@=/ contains=synodAssumption,synodAssumptionBound,synodComment,synodDoc keepend
syn match synodAssumption /\h\w*/ contained
syn match synodOperator /\<\%(and\|not\|or\)\>/ contained containedin=synodAssumptions
syn match synodAssumptionBound /\%(<=\|>=\|≤\|≥\|!=\|≠\|[<>=]\|\<in\>\|∈\)\%([^,/{]\|{[^}]*}\)*/ contained contains=synodSign,synodOperator,synodNumber,synodBuiltin,synodPredefined,synodQuantifier,synodMetric

" What is declared or named by a word.
syn match synodModule /\%(\<\%(algorithm\|problem\|solves\|uses\|variant\s\+of\)\s\+\)\@<=\h\w*/
syn match synodFunction /\%(\<\%(function\|procedure\|operation\)\s\+\)\@<=\h\w*/
syn match synodProperty /\%(\<\%(invariant\|finally\|eventually\|bound\|exactly\|leads\|order\|settles\|stable\)\s\+\)\@<=\h\w*\%(\s*\%(:=\@!\|for\>\)\)\@=/
syn match synodState /\%(\<\%(state\|become\|timer\)\s\+\)\@<=\h\w*/
syn match synodTypeName /\%(\<\%(record\|enum\|role\)\s\+\)\@<=\h\w*/

" A scenario reaches to the next clause. Processes may be called anything, so words of clauses are none here.
syn region synodScenario matchgroup=synodFunction start=/\%(\<scenario\s\+\)\@<=\h\w*/ matchgroup=NONE end=/^\s*\%(\%(after\|algorithm\|always\|assumes\|client\|const\|defer\|enum\|eventually\|finally\|function\|ignore\|initial\|invariant\|message\|on\|operation\|output\|param\|problem\|procedure\|record\|role\|scenario\|state\|uses\|var\|when\)\>\%(\s*\%(:=\@!\|->\|→\)\)\@!\|\%(stable\|leads\|bound\|exactly\|order\)\s\+\h\w*\s*\%(:=\@!\|for\>\)\|persistent\s\+var\>\|stamps\s\+notes\>\|view\s\+\h\w*\%(\.\h\w*\)\=\s*\%(,\|\h\)\)\@=/ transparent contains=TOP,synodScenario,synodClause keepend
syn match synodScenarioWord /\<\%(on\|when\)\>/ contained containedin=synodScenario
syn match synodScenarioWord /^\s*\zs\%(at\|crash\|cut\|cycle\|delay\|deliver\|duplicate\|expect\|expire\|hold\|initially\|lose\|mislead\|release\|restart\|step\|suspect\|trust\|wake\)\>\%(\s*\%(:=\@!\|->\|→\)\)\@!/ contained containedin=synodScenario
syn match synodScenarioWord /\%(\<\%(hold\|release\)\s\+\)\@<=channel\>\%(\s*\%(->\|→\)\)\@!/ contained containedin=synodScenario
syn match synodScenarioWord /\%(\<expect\s\+\h\w*\s\+\)\@<=\%(holds\|violated\)\>/ contained containedin=synodScenario
syn match synodScenarioWord /\%(\<expect\s\+\)\@<=outcome\>/ contained containedin=synodScenario
syn match synodScenarioWord /\%(\<\%(suspect\|trust\)\s\+\h\w*\s\+\)\@<=at\>/ contained containedin=synodScenario
syn match synodScenarioWord /\%(\<expect\s\+\)\@<=again\>\%(\s\+\%(holds\|violated\)\>\)\@!/ contained containedin=synodScenario
syn match synodScenarioWord /\%(^\s*choose\s\+\)\@<=option\>\%(\s\+\d\)\@=/ contained containedin=synodScenario
syn match synodScenarioWord /\%(^\s*choose\s.*[^.]\)\@<=\<at\>\%(\s\+\h\w*\s*\%(\/\/.*\)\=$\)\@=/ contained containedin=synodScenario
syn match synodConstant /\<round-robin\>/ contained containedin=synodScenario
syn match synodProcess /^\s*\zs\h\w*\%(\s*\%(:=\@!\|->\|→\)\)\@=/ contained containedin=synodScenario
syn match synodTopology /\%(\<on\s\+\)\@<=\h\w*\%(-\w\+\)*/ contained containedin=synodScenario

syn region synodText start=/"/ skip=/\\./ end=/"\|$/ oneline contains=synodEscape
syn match synodEscape /\\["\\n]/ contained
syn match synodComment +//.*$+ contains=@Spell,synodTodo
syn match synodDoc +///\%(/\)\@!.*$+ contains=@Spell,synodTodo
syn keyword synodTodo TODO FIXME XXX contained

hi def link synodClause Keyword
hi def link synodHeader Keyword
hi def link synodStatement Statement
hi def link synodConditional Conditional
hi def link synodRepeat Repeat
hi def link synodBranch Conditional
hi def link synodOperator Operator
hi def link synodQuantifier Operator
" `synodSign` has no colour: most colour schemes show operators like keywords, and there are too many of these.
hi def link synodMetric Keyword
hi def link synodScenarioWord Statement
hi def link synodConstant Constant
hi def link synodNumber Number
hi def link synodType Type
hi def link synodTypeName Type
hi def link synodTopology Type
hi def link synodModule Include
hi def link synodFunction Function
hi def link synodProperty Function
hi def link synodCall Function
hi def link synodBuiltin Function
" Not `Label`, which most colour schemes show like keywords.
hi def link synodState Structure
hi def link synodCapital Identifier
hi def link synodProcess Special
hi def link synodPredefined Special
hi def link synodAssumption PreProc
hi def link synodText String
hi def link synodEscape SpecialChar
hi def link synodComment Comment
hi def link synodDoc SpecialComment
hi def link synodTodo Todo
hi def link synodError Error

let b:current_syntax = 'synod'
