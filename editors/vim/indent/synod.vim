" Synod: commands stand below their clause, `[]` and `fi` below their `if`, `od` below its `do` or `for`.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=SynodIndent()
setlocal indentkeys=o,O,!^F,0],0),0},0=fi,0=od,0=[]
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*SynodIndent')
  finish
endif

" A line without its comment. (Texts with `//` in them are rare, and it is a matter of blanks only.)
function! s:Code(lnum) abort
  return substitute(getline(a:lnum), '\s*//.*$', '', '')
endfunction

" How many more brackets and blocks a line opens than it closes; the `if` of a conditional expression has no `fi`.
function! s:Opened(code) abort
  let code = substitute(a:code, '"\%(\\.\|[^"\\]\)*"', '', 'g')
  let opened = len(split(code, '\<if\>\%(.\{-}\<then\>\)\@!\|\<do\>\|[({[]', 1)) - 1
  return opened - (len(split(code, '\<fi\>\|\<od\>\|[)}\]]', 1)) - 1)
endfunction

" The line of the `if` or `do` that is still open above this one.
function! s:Opener(lnum) abort
  let depth = 0
  let lnum = prevnonblank(a:lnum - 1)
  while lnum > 0
    let depth += s:Opened(s:Code(lnum))
    if depth > 0
      return lnum
    endif
    let lnum = prevnonblank(lnum - 1)
  endwhile
  return 0
endfunction

function! SynodIndent() abort
  let here = s:Code(v:lnum)
  if here =~# '^\s*\%(fi\>\|od\>\|\[\]\|□\|[)}\]]\)'
    let opener = s:Opener(v:lnum)
    if opener == 0
      return -1
    endif
    " `x := y; if …` does not occur, but `for x in S do if …` may: the column of the word, not of the line.
    let word = match(s:Code(opener), '\<if\>\|\<do\>\|[({[]')
    return here =~# '^\s*\%(od\|[)}\]]\)' || word < 0 ? indent(opener) : word
  endif

  let above = prevnonblank(v:lnum - 1)
  while above > 0 && getline(above) =~# '^\s*//'
    let above = prevnonblank(above - 1)
  endwhile
  if above == 0
    return 0
  endif
  let code = s:Code(above)
  let opens = '^\s*\%(\%(initial\s\+\)\?state\|always\|client\|procedure\|operation\|scenario\)\>'
  if code =~# opens || code =~# '^\s*\%(on\|when\|after\)\>.*\%(->\|→\)$'
    return indent(above) + shiftwidth()
  endif
  if s:Opened(code) > 0 && code =~# '\%(\<do\|[({[]\)$'
    return indent(above) + shiftwidth()
  endif
  " After an empty line a clause is as likely as a command: leave it where the one above began.
  return indent(above)
endfunction
