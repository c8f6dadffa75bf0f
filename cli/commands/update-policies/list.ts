import { command } from '../../command.ts'
import { windowText } from '../../flags/policy-flags.ts'

export default command({
  list: true,
  details: `
What happens with newer images of stacks that have no policy of their own (\`cli stacks update-policy\`). The policy of a
tag of the host comes before the default. If two tags of a host have one, the most careful counts.`,
  async run({ client, print }) {
    const service = await client()
    print.reply(await service.get('/update-policies'), (policies) =>
      print.table(policies, [
        { head: 'OF', text: (one) => one.of },
        { head: 'MODE', text: (one) => one.mode },
        { head: 'WINDOW', text: (one) => windowText(one) },
        { head: 'AGE', text: (one) => `${one.minimum_age_hours} h` },
        { head: 'ACTS AS', text: (one) => one.acts_as ?? undefined },
        { head: 'BLOCKED', text: (one) => one.blocked ?? undefined, fold: 1 },
      ]),
    )
  },
})
