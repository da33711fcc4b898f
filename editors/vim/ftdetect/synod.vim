autocmd BufNewFile,BufRead *.syn setfiletype synod
