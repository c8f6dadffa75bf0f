/** Texts of `cli help <topic>`. */
export const topics: Readonly<Record<string, string>> = {
  environment: `Environment of the client:

  CLI_SERVER   The address of the service, instead of a login
  CLI_TOKEN    An API token, instead of a login; other users of the machine cannot see it
  CLI_CONTEXT  The saved login to use, instead of the one in use: see \`cli context list\`
  CLI_HOST     The host if --host is not given; an error if a stack is on another one. It does not
               stand for the --host of backups update and restore, which moves something
  CLI_OUTPUT   The form of output if no flag chooses one: table, json, yaml or name
  CLI_INSECURE
               1 or true: do not check TLS certificates; a login does not save it
  HOME         Where the configuration is: below .config/cli, or Library/Application Support/cli
  APPDATA      Where it is on Windows
  NO_COLOR     No colours, if not empty
  TERM         With \`dumb\`, no colours and no lines that are redrawn
  DISPLAY, WAYLAND_DISPLAY
               On Linux, addresses are opened in a browser if one of them is set

--server and --token win over CLI_SERVER and CLI_TOKEN, and these over a saved login. A saved token
is sent only to the server that issued it. NODE_EXTRA_CA_CERTS is a file of certificates to trust.
`,
  'exit-codes': `Exit codes:

  0    done
  1    failed, also a deployment, backup or restore that was followed to its end
  2    wrong usage: the command line is not understood, and nothing was done
  3    not logged in, or the credential has expired
  4    forbidden: the account may not do this
  130  interrupted with Ctrl-C

\`containers exec\`, \`stacks exec\` and \`stacks run\` exit with the code of their command, and
\`stacks wait\` with that of a container. A command can have the codes above for reasons of its own.
If it did not run, the last line of standard error begins with \`cli:\`, or is JSON.
`,
  output: `Output:

Data goes to standard output; progress, notes and errors to standard error.

  --output table   Columns that fit the terminal; --wide does not shorten them
  --output json    The response of the API, unchanged
  --output yaml    The same as YAML
  --output name    Only names, as commands accept them; -q is the same
  --json a,b.c     Only these fields, as JSON
  --jq <words>     What a jq expression selects; texts are printed without quotes

Lists also have:

  --filter a=b*    Entries whose field a begins with b; a!=b excludes; upper and lower case are the
                   same; filters of one field are alternatives
  --watch          Again every 2 s; off a terminal it is printed when it has changed

With --output json a failure is the last line of standard error: an object with error, status,
reason, request_id and hint. status is that of the API; what is not known is null.

Commands that take a while have --progress auto|tty|plain|json|quiet for standard error.
Control characters in names, labels and logs are shown as \\u001b on a terminal.

Examples:
  cli stacks list --json name,status
  cli containers list --all --filter state=exited -q
  cli api /audit --jq '.[] | [.time, .action, .username] | @tsv'
`,
}
