import { command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import {
  isChange,
  policyChange,
  policyFields,
  policyFlags,
  policyTerms,
  windowText,
} from '../../flags/policy-flags.ts'

const usual = { mode: 'notify', window: null, minimum_age_hours: 72, watch_minutes: null } as const

export default command({
  args: '<policy>',
  flags: policyFlags,
  details: `
Sets what happens with newer images of the stacks that have no policy of their own: \`default\` for all stacks, or
\`tag:\` and a tag for the stacks on hosts with that tag. What no flag names keeps its value. With \`apply\`, updates are
deployments that act as you, on each stack that your account may deploy then. Needs settings:manage.`,
  examples: [
    'cli update-policies set default --mode apply --window "0 3 * * *" --minimum-age 7d',
    'cli update-policies set tag:lab --mode apply --minimum-age 0h',
  ],
  fields: { ...policyFields, name: '<policy>' },
  async run({ args: { policy: name }, flags, client, print }) {
    const change = policyChange(flags)
    if (!isChange(change)) throw wrongUsage('name what to set, such as --mode apply')
    const service = await client()
    const { value } = await service.get('/update-policies')
    const before = value.find((one) => one.of === name) ?? usual
    const body = policyTerms(before, change)
    const saved = await service.put('/update-policies/{name}', { path: { name }, body })
    print.reply(saved, (one) =>
      print.facts({
        of: one.of,
        mode: one.mode,
        window: windowText(one),
        'minimum age': `${one.minimum_age_hours} h`,
        watch: one.watch_minutes === null ? undefined : `${one.watch_minutes} min`,
        'acts as': one.acts_as ?? undefined,
        blocked: one.blocked ?? undefined,
      }),
    )
  },
})
