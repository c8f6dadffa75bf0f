import { type Call, command } from '../../../command.ts'
import { wrongUsage } from '../../../failure.ts'
import { readRuleFlags, ruleFields, ruleFlags } from '../../../flags/rule-flags.ts'
import { clean } from '../../../output/text.ts'
import { findChannelIds } from '../../../resolve/find.ts'

export default command({
  args: '<name>',
  flags: ruleFlags,
  details: `
Creates a rule that applies to every host, stack and container unless flags name some. A percentage needs
--threshold, and so does restarts. Without --channel its alerts are only listed by \`cli alerts list\`.`,
  examples: [
    'cli alerts rules create "busy shop" --metric cpu_percent --threshold 80 --match-stack "shop*"',
    'cli alerts rules create "newer images" --metric updates_available --match-stack "shop*"',
    'cli alerts rules create "host down" --metric host_down --severity critical --channel ops',
  ],
  fields: ruleFields,
  run: create,
})

async function create({ args, flags, client, print }: Call<'<name>', typeof ruleFlags>) {
  const { metric, ...given } = readRuleFlags(flags)
  if (metric === undefined) throw wrongUsage('--metric <name> is required')
  const service = await client()
  const channels = await findChannelIds(service, flags.channel)
  const body = { ...given, name: args.name, metric, channels }
  print.reply(await service.post('/alert-rules', { body }), (rule) => {
    print.line(`${clean(rule.name)} is created`)
  })
}
