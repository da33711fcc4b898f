" Writes how words are highlighted: for each file of $SYNOD_PATHS, a line `=FILE`, and for each word `LINE COLUMN GROUP`, with
" the group that Vim takes it for (columns in bytes, from 0). Used by ../../words.mjs:
"     vim -Nu NONE -es -S words.vim
set nocompatible encoding=utf-8 nomore
let &runtimepath = expand('<sfile>:p:h:h') . ',' . $VIMRUNTIME
filetype plugin indent on
syntax on
let s:out = []
for s:file in readfile($SYNOD_PATHS)
  execute 'silent edit' fnameescape(s:file)
  if &filetype !=# 'synod'
    call writefile(['no filetype for ' . s:file], $SYNOD_OUT)
    cquit
  endif
  syntax sync fromstart
  call add(s:out, '=' . s:file)
  for s:line in range(1, line('$'))
    let s:text = getline(s:line)
    let [s:word, s:at, s:end] = matchstrpos(s:text, '\w\+', 0)
    while s:at >= 0
      call add(s:out, (s:line - 1) . ' ' . s:at . ' ' . synIDattr(synID(s:line, s:at + 1, 1), 'name'))
      let [s:word, s:at, s:end] = matchstrpos(s:text, '\w\+', s:end)
    endwhile
  endfor
  bwipeout!
endfor
call writefile(s:out, $SYNOD_OUT)
qall!
