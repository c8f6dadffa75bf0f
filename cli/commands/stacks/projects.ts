import type { ComposeProject } from '../../api/types.ts'
import { command } from '../../command.ts'
import { hostFor } from '../../resolve/host.ts'
import { showHostList } from '../../resolve/host-list.ts'

export default command({
  list: true,
  details: `
Lists the compose projects that run on a host, and says which ones \`cli stacks adopt\` can turn into a stack. With
\`--host all\` those of every host.`,
  examples: ['cli stacks projects', 'cli stacks projects --host all --filter managed=false'],
  async run({ flags, client, print }) {
    const service = await client()
    const query = { host: await hostFor(service, flags.host) }
    const reply = await service.get('/compose-projects', { query })
    await showHostList(service, print, reply, [
      { head: 'NAME', text: (project) => project.name },
      { head: 'ADOPT', text: adoptText },
      { head: 'SERVICES', text: (project) => project.services.length },
      { head: 'DIRECTORY', text: (project) => project.working_dir },
    ])
  },
})

/** Returns whether a project can be adopted, or why not. */
const adoptText = ({ managed, refusal }: ComposeProject) =>
  managed ? 'is a stack' : (refusal ?? 'possible')
