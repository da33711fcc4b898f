; Comments are prose; editors with a grammar for it (links, TODO) use it.
((comment) @injection.content
  (#set! injection.language "comment"))

; Doc comments are shown as Markdown by the language server. Their slashes would be in the way of a Markdown parser here.
((doc_comment) @injection.content
  (#set! injection.language "comment"))
