" Takes the indentation of indent.syn away and lets Vim make it anew: vim -Nu NONE -es -S indent.vim
set nocompatible encoding=utf-8
let s:here = expand('<sfile>:p:h')
let &runtimepath = fnamemodify(s:here, ':h') . ',' . $VIMRUNTIME
filetype plugin indent on
execute 'edit' s:here . '/indent.syn'
let s:expected = getline(1, '$')
silent %s/^\s\+//
silent normal! gg=G
let s:found = getline(1, '$')
if s:found !=# s:expected || empty(s:found)
  verbose echo join(s:found, "\n")
  cquit
endif
qall!
