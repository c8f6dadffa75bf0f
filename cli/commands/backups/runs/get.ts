import { command } from '../../../command.ts'
import { printRun } from '../runs.ts'

export default command({
  args: '<run>',
  details: '\nShows a run and its contents, given by id or its beginning.',
  examples: ['cli backups runs get 01978f00'],
  async run({ args, client, print }) {
    await printRun(await client(), args.run, print)
  },
})
