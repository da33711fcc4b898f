;;; server.el --- Emacs with the language server  -*- lexical-binding: t; -*-

;;; Commentary:

;; Opens a program with a mistake, and waits for what Eglot makes of it: a finding at its place, what hovering says, where
;; a message is declared.  $SYNOD is the command.
;;     emacs --batch -l server.el

;;; Code:

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(require 'xref)
(load (expand-file-name "../synod-mode.el" (file-name-directory load-file-name)) nil t)

(defconst synod-test-text "algorithm greetings
assumes unidirectional ring
message Hello // says that one is there
state greeting
  send Hello
  receive Helo
  halt
")

(defun synod-test-wait (what holds)
  "Wait until HOLDS gives something, and give that; WHAT is missing otherwise."
  (let ((deadline (+ (float-time) 60)) found)
    (while (not (setq found (funcall holds)))
      (when (> (float-time) deadline) (error "No %s within a minute" what))
      (accept-process-output nil 0.1))
    found))

(defun synod-test-expect (what pattern text)
  "Fail unless TEXT fits PATTERN; WHAT it is."
  (unless (and text (string-match-p pattern text)) (error "%s: %S" what text))
  (princ (format "%s: %s\n" what (car (split-string text "\n")))))

(let* ((folder (make-temp-file "synod" t))
       (file (expand-file-name "greetings.syn" folder))
       (synod-command (getenv "SYNOD"))
       (eglot-autoreconnect nil)
       (eglot-sync-connect 60))
  (unwind-protect
      (progn
        (setf (alist-get 'synod-mode eglot-server-programs) (list synod-command "lsp"))
        (with-temp-file file (insert synod-test-text))
        (with-current-buffer (find-file-noselect file)
          (apply #'eglot (eglot--guess-contact))
          (flymake-mode 1)
          (flymake-start)
          (let ((found (car (synod-test-wait "finding" (lambda () (flymake-diagnostics))))))
            (synod-test-expect "Finding" "Helo" (flymake-diagnostic-text found))
            (goto-char (flymake-diagnostic-beg found))
            (unless (looking-at "Helo") (error "The finding stands at %d" (point))))
          (goto-char (point-min))
          (search-forward "send He")
          (let* ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                         (eglot--TextDocumentPositionParams)))
                 (contents (plist-get hover :contents)))
            (synod-test-expect "Hover" "message Hello" (plist-get contents :value)))
          (let ((place (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
            (synod-test-expect "Definition" "message Hello" (xref-item-summary place)))
          (eglot-shutdown (eglot--current-server-or-lose))
          (set-buffer-modified-p nil)
          (kill-buffer)))
    (delete-directory folder t)))

;;; server.el ends here
