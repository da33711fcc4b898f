-- Neovim with the language server: opens a program with a mistake, and waits for a finding at its place, what hovering says,
-- and where a message is declared. $SYNOD is the command.
--     nvim --headless -u NONE -c "luafile server.lua"

local text = {
  "algorithm greetings",
  "assumes unidirectional ring",
  "message Hello // says that one is there",
  "state greeting",
  "  send Hello",
  "  receive Helo",
  "  halt",
}

local function fail(why)
  io.stderr:write("server.lua: " .. why .. "\n")
  vim.cmd("cquit 1")
end

local function expect(what, found, pattern)
  if not found or not string.find(found, pattern) then fail(what .. ": " .. tostring(found)) end
  print(what .. ": " .. string.match(found, "[^\n]*") .. "\n")
end

local function tested()
  local file = vim.fn.tempname() .. ".syn"
  vim.fn.writefile(text, file)
  vim.opt.runtimepath:prepend(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h"))
  vim.cmd("filetype plugin indent on")
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  if vim.bo.filetype ~= "synod" then fail("the file type is `" .. vim.bo.filetype .. "`") end
  local client = vim.lsp.start_client({ name = "synod", cmd = { vim.env.SYNOD, "lsp" } })
  vim.lsp.buf_attach_client(0, client)
  if not vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end) then fail("no finding within a minute") end
  local found = vim.diagnostic.get(0)[1]
  expect("Finding", found.message, "Helo")
  if found.lnum ~= 5 or found.col ~= 10 then fail("the finding stands at " .. found.lnum .. ":" .. found.col) end
  vim.api.nvim_win_set_cursor(0, { 5, 8 })
  local place = vim.lsp.util.make_position_params(0, "utf-16")
  local function asked(method)
    local answers = vim.lsp.buf_request_sync(0, method, place, 60000)
    return answers and answers[client] and answers[client].result
  end
  local hover = asked("textDocument/hover")
  expect("Hover", hover and hover.contents.value, "message Hello")
  local definition = asked("textDocument/definition")
  expect("Definition", definition and "line " .. definition[1].range.start.line, "line 2")
  os.remove(file)
end

local fine, why = pcall(tested)
if not fine then fail(why) end
vim.cmd("qall!")
