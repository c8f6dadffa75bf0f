import { command } from '../../command.ts'
import { path } from '../../http.ts'
import type { PlannedStep } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'

export default command({
  args: '<name>',
  flags: { '--environment <name>': 'Plan with this overlay applied' },
  details: '\nShows every step of a deploy with its reason. Changes nothing.',
  async run({ args, flags, client, print }) {
    const service = await client()
    await checkPlace(service, args.name, flags.host)
    const body = { environment: flags.environment }
    const reply = await service.post<PlannedStep[]>(path`/stacks/${args.name}/plan`, { body })
    print.reply(reply, (steps) => {
      if (steps.length === 0) print.line('nothing to do')
      else {
        print.table(steps, [
          { head: 'ACTION', text: (step) => step.action },
          { head: 'KIND', text: (step) => step.kind },
          { head: 'NAME', text: (step) => step.name },
          { head: 'REASON', text: (step) => step.reason },
        ])
      }
    })
  },
})
