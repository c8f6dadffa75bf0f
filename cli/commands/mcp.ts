import { type Call, command } from '../command.ts'
import { callTool } from '../mcp/call-tool.ts'
import { serve } from '../mcp/serve.ts'
import { tools, toolsFor } from '../mcp/tool.ts'

const ownFlags = {
  '--write': 'Also offer the tools that change something; each shows its plan first',
} as const

export default command({
  flags: ownFlags,
  details: `
Serves the Model Context Protocol on standard input and output, for an assistant that starts it. Its tools are requests
of the API with your credential, and can do nothing that it cannot. Without --write they only read. It ends when its
input ends. No tool asks for a secret; .env, secret files and the variables of containers are left out of results. Use
an API token of an account that may do no more than it must.`,
  examples: ['cli mcp', 'cli mcp --write --context nas'],
  run: mcp,
})

async function mcp({ flags, client, io, print }: Call<'', typeof ownFlags>) {
  // Without an address or a login, nothing could be called: the assistant shows this failure.
  const service = await client()
  const offered = toolsFor(flags.write)
  if (io.stdin.isTTY) print.note('waiting for messages of an assistant; Ctrl+D ends')
  await serve(io, {
    offered,
    all: tools,
    call: (tool, given, signal) => callTool({ tool, given, client: service, signal }),
  })
}
