import { command } from '../../command.ts'
import { showSourceFolders } from '../../output/source-folders.ts'
import { sourcePatience } from '../../source-patience.ts'

export default command({
  args: '<name>',
  details: `
Lists the folders of a source that have a compose file, as the source is now, with a stack for each. A folder is new,
followed by a stack, or its name is taken by a stack that follows something else or nothing. A stack whose folder is
gone is listed too, and stays. Changes nothing. Needs stacks:read, and registries:manage on every host.`,
  examples: ['cli sources scan estate'],
  async run({ args: { name }, client, print }) {
    const service = await client()
    const request = { path: { name }, timeout: sourcePatience }
    const reply = await service.get('/sources/{name}/folders', request)
    print.reply(reply, (found) => showSourceFolders(found, print))
  },
})
