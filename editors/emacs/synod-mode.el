;;; synod-mode.el --- Synod, a language for distributed algorithms  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages

;;; Commentary:

;; Highlighting with the words of ../keywords.json, comments, indentation by hand, `M-x compile', and Eglot with the
;; language server `synod lsp'.  It needs no tree-sitter; for Emacs with tree-sitter see ../README.md.

;;; Code:

(require 'json)

(defgroup synod nil "Synod, a language for distributed algorithms." :group 'languages)

(defcustom synod-command "synod" "The command." :type 'string)

(defconst synod--words
  (let ((json-object-type 'alist) (json-array-type 'list) (json-key-type 'symbol))
    (json-read-file
     (expand-file-name "../keywords.json" (file-name-directory (or load-file-name buffer-file-name)))))
  "The words of the language: kind, group, words.")

(defun synod--group (kind group)
  "The words of GROUP of KIND."
  (alist-get group (alist-get kind synod--words)))

(defun synod--any (words)
  "A pattern for any of WORDS."
  (regexp-opt words 'symbols))

(defconst synod--name "[A-Za-z_][A-Za-z0-9_]*")

(defconst synod--reserved
  (synod--any (apply #'append (mapcar #'cdr (alist-get 'reserved synod--words))))
  "A pattern for any word that cannot be a name.")

(defun synod--match-binder (limit)
  "Find a word that binds what follows it, before LIMIT: `count p: ...', and not `winner = least then'."
  (let (found)
    (while (and (not found)
                (re-search-forward "\\_<\\(arrived\\|count\\|greatest\\|least\\|sum\\)[ \t]+[(A-Za-z_]" limit t))
      (save-excursion
        (backward-char)
        (setq found (save-match-data (not (looking-at synod--reserved))))))
    found))

(defconst synod--font-lock-keywords
  (let ((reserved (lambda (group) (synod--any (synod--group 'reserved group)))))
    `(;; A part of a value is no keyword: `p.time'.
      (,(concat "[])[:alnum:]_]\\(\\.\\)\\(" synod--name "\\)") (2 'default))
      ;; An assumption, of several words.
      ("\\_<\\(?:duplicates\\|loses\\)\\s-+\\(messages\\)\\_>" (1 'default))
      ("\\_<\\(messages\\)\\s-+survive\\_>" (1 'default))
      ("\\_<\\(eventually\\)\\s-+perfect\\_>" (1 'default))
      ("\\_<synchronous\\s-+\\(by\\)\\_>" (1 'default))
      ;; A process may be called anything: `client: read'.
      (,(concat "^\\s-*\\(" synod--name "\\):\\(?:[^=]\\|$\\)") (1 'default))
      ;; What is declared.
      (,(concat "\\_<\\(?:function\\|procedure\\|operation\\|scenario\\)\\s-+\\(" synod--name "\\)")
       (1 font-lock-function-name-face))
      (,(concat "\\_<\\(bound\\|exactly\\|leads\\|order\\|settles\\|stable\\)\\s-+\\(" synod--name
                "\\)\\s-*\\(?::[^=]\\|for\\_>\\)")
       (1 font-lock-keyword-face) (2 font-lock-function-name-face))
      (,(concat "\\_<\\(?:invariant\\|finally\\|eventually\\)\\s-+\\(" synod--name "\\)\\s-*\\(?::[^=]\\|for\\_>\\)")
       (1 font-lock-function-name-face))
      (,(concat "\\_<\\(?:state\\|become\\)\\s-+\\(" synod--name "\\)") (1 font-lock-constant-face))
      (,(concat "\\_<\\(?:algorithm\\|problem\\|uses\\)\\s-+\\(" synod--name "\\)") (1 font-lock-type-face))
      ;; Words that mean something in their places only.
      (,(concat "\\_<\\(solves\\|variant\\s-+of\\)\\s-+\\(" synod--name "\\)")
       (1 font-lock-keyword-face) (2 font-lock-type-face))
      ("\\_<\\(without\\|as\\|per\\)\\s-+[A-Za-z_]" (1 font-lock-keyword-face))
      (,(concat (synod--any (synod--group 'contextual 'type)) "\\s-+\\(of\\)\\_>")
       (1 font-lock-type-face) (2 font-lock-type-face))
      ("\\_<\\(?:messages\\|bits\\)\\s-+\\(of\\)\\_>" (1 font-lock-keyword-face))
      ("\\_<messages\\(?:\\s-+of\\s-+[A-Za-z0-9_.]+\\)?\\s-+to\\s-+\\(self\\)\\_>" (1 font-lock-keyword-face))
      ("\\_<\\(?:calls\\|returns\\|upcalls\\)\\s-+of\\_>" . font-lock-keyword-face)
      ("\\_<\\(?:set\\|cancel\\)\\s-+timer\\_>" . font-lock-keyword-face)
      ("\\_<stamps\\s-+notes\\_>" . font-lock-keyword-face)
      ("^\\s-*\\(view\\)\\s-+\\(?:without\\_>\\|[A-Za-z_][A-Za-z0-9_.]*\\s-*\\(?:,\\|up\\_>\\)\\)" (1 font-lock-keyword-face))
      ("\\_<up\\s-+to\\s-+shift\\_>" . font-lock-keyword-face)
      ("\\_<leads\\s-+to\\_>" . font-lock-keyword-face)
      ("\\_<persistent\\s-+var\\_>" . font-lock-keyword-face)
      ("^\\s-*output\\_>.*\\_<\\(initially\\)\\_>" (1 font-lock-keyword-face))
      ("\\_<happened\\s-+before\\_>" . font-lock-keyword-face)
      ("\\_<\\(each\\)\\s-+[A-Za-z_]" (1 font-lock-keyword-face))
      (synod--match-binder (1 font-lock-keyword-face))
      ("\\_<\\(by\\)\\s-+[^:]" (1 font-lock-keyword-face))
      (,(concat "^\\s-*\\(" (regexp-opt (seq-difference (synod--group 'contextual 'scenario)
                                                        '("again" "channel" "holds" "option" "outcome" "round-robin"
                                                          "violated")))
                "\\)\\_>\\(?:\\s-*$\\|\\s-+[^-:=,<>. \t]\\)")
       (1 font-lock-keyword-face))
      ("^\\s-*\\(expect\\)\\s-+-[^>]" (1 font-lock-keyword-face))
      (,(concat "\\_<\\(?:suspect\\|trust\\)\\s-+" synod--name "\\s-+\\(at\\)\\_>") (1 font-lock-keyword-face))
      ("^\\s-*choose\\s-+\\(option\\)\\s-+[0-9]" (1 font-lock-keyword-face))
      ("^\\s-*choose\\s-[^/\n]*[^./\n]\\_<\\(at\\)\\s-+[A-Za-z_][A-Za-z0-9_]*\\s-*\\(?://.*\\)?$" (1 font-lock-keyword-face))
      ("\\_<expect\\s-+\\(outcome\\)\\_>" (1 font-lock-keyword-face))
      ("\\_<expect\\s-+\\(again\\)\\s-*\\(?:$\\|//\\)" (1 font-lock-keyword-face))
      (,(concat "\\_<expect\\s-+" synod--name "\\s-+\\(holds\\|violated\\)\\_>") (1 font-lock-keyword-face))
      ("\\_<\\(?:hold\\|release\\)\\s-+\\(channel\\)\\s-+[^-]" (1 font-lock-keyword-face))
      ("\\_<round-robin\\_>" . font-lock-constant-face)
      ;; Reserved words.
      (,(funcall reserved 'clause) . font-lock-keyword-face)
      (,(funcall reserved 'statement) . font-lock-keyword-face)
      (,(funcall reserved 'operator) . font-lock-keyword-face)
      (,(funcall reserved 'quantifier) . font-lock-keyword-face)
      (,(funcall reserved 'metric) . font-lock-keyword-face)
      (,(funcall reserved 'constant) . font-lock-constant-face)
      ("->\\|→\\|□\\|\\(?:^\\|\\s-\\)\\[\\]\\(?:\\s-\\|$\\)" . font-lock-keyword-face)
      (,(synod--any (synod--group 'predefined 'type)) . font-lock-type-face)
      (,(concat (synod--any (synod--group 'predefined 'function)) "(") (1 font-lock-builtin-face))
      ("\\_<[A-Z][A-Za-z0-9_]*\\_>" . font-lock-variable-name-face)))
  "Highlighting.")

(defvar synod-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "." table)
    table))

;;;###autoload
(define-derived-mode synod-mode prog-mode "Synod"
  "Mode for Synod, a language for distributed algorithms."
  (setq-local font-lock-defaults '(synod--font-lock-keywords))
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "///?\\s-*")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 2)
  (setq-local indent-line-function #'indent-relative)
  (setq-local imenu-generic-expression
              `(("Scenario" ,(concat "^\\s-*scenario\\s-+\\(" synod--name "\\)") 1)
                ("State" ,(concat "^\\s-*\\(?:initial\\s-+\\)?state\\s-+\\(" synod--name "\\)") 1)
                (nil ,(concat "^\\s-*\\(?:function\\|procedure\\|operation\\)\\s-+\\(" synod--name "\\)") 1)))
  (setq-local compile-command
              (concat synod-command " check " (if buffer-file-name (shell-quote-argument buffer-file-name) ""))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.syn\\'" . synod-mode))

(with-eval-after-load 'eglot
  (when (boundp 'eglot-server-programs)
    (add-to-list 'eglot-server-programs `(synod-mode . (,synod-command "lsp")))))

(provide 'synod-mode)
;;; synod-mode.el ends here
