" Synod, a guarded-command language for distributed algorithms.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:///,:// commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal iskeyword=@,48-57,_
setlocal suffixesadd=.syn
" `:make` reports what is wrong: file, line and column stand in the first line of each message.
setlocal makeprg=synod\ check\ --color\ never\ --ascii\ %:S
" `[SYN0060] Error: what`, and below it `,-[ file:line:column ]`.
setlocal errorformat=%E[%.%#]\ Error:\ %m,%W[%.%#]\ Warning:\ %m,%C%*[^[][\ %f:%l:%c\ ],%-C%.%#,%-G%.%#

" For matchit: `%` goes from `if` over `[]` to `fi`. The `if` of a conditional expression has no `fi`.
if exists('loaded_matchit') && !exists('b:match_words')
  let b:match_ignorecase = 0
  let b:match_words = '\<if\>\%([^\n]*\<then\>\)\@!:\%(^\|\s\)\zs\[\]\|□\|\<otherwise\>:\<fi\>,\<do\>:\<od\>'
endif

let b:undo_ftplugin = 'setlocal comments< commentstring< formatoptions< expandtab< shiftwidth< softtabstop<'
      \ . ' iskeyword< suffixesadd< makeprg< errorformat< | unlet! b:match_words b:match_ignorecase'
