import { command } from '../../command.ts'
import { printJob } from './jobs.ts'

export default command({
  args: '<job>',
  details: '\nShows all settings of a backup job, given by name or id.',
  examples: ['cli backups get nightly'],
  async run({ args, client, print }) {
    await printJob(await client(), args.job, print)
  },
})
