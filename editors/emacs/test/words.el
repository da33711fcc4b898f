;;; words.el --- How words are highlighted  -*- lexical-binding: t; -*-

;;; Commentary:

;; For each file of $SYNOD_PATHS a line `=FILE', and for each word `LINE COLUMN FACE' (columns in bytes, both from 0).
;; Used by ../../words.mjs:
;;     emacs -Q --batch -l words.el

;;; Code:

(load (expand-file-name "../synod-mode.el" (file-name-directory load-file-name)) nil t)

(defun synod-words (file)
  "Print the faces of the words of FILE."
  (let ((coding-system-for-read 'utf-8-unix) (inhibit-message t) lines)
    (with-current-buffer (find-file-noselect file)
      (unless (derived-mode-p 'synod-mode) (error "%s is in %s" file major-mode))
      (font-lock-ensure)
      (push (concat "=" file) lines)
      (goto-char (point-min))
      (while (re-search-forward "[A-Za-z0-9_]+" nil t)
        (let* ((at (match-beginning 0))
               (start (save-excursion (goto-char at) (line-beginning-position)))
               (face (get-text-property at 'face)))
          (push (format "%d %d %s" (1- (line-number-at-pos at t)) (- (position-bytes at) (position-bytes start))
                        (if (consp face) (car face) face))
                lines)))
      (kill-buffer))
    (princ (mapconcat #'identity (nreverse lines) "\n"))
    (terpri)))

(let ((process-environment (cons "LC_ALL=C.UTF-8" process-environment)))
  (with-temp-buffer
    (insert-file-contents (getenv "SYNOD_PATHS"))
    (mapc #'synod-words (split-string (buffer-string) "\n" t))))

;;; words.el ends here
