import type { AlertRuleChange } from '../../../api/types.ts'
import { type Call, command } from '../../../command.ts'
import { wrongUsage } from '../../../failure.ts'
import { durationOf } from '../../../flags/duration.ts'
import { readRuleFlags, ruleFields, ruleFlags } from '../../../flags/rule-flags.ts'
import { clean } from '../../../output/text.ts'
import { findChannelIds, findRule } from '../../../resolve/find.ts'

const ownFlags = {
  ...ruleFlags,
  '--name <name>': 'Rename the rule',
  '--match-everything': 'Apply to every host, stack and container again',
  '--no-channels': 'Send its alerts to no channel',
  '--mute-for <duration>': 'Send none of its alerts for this long, such as 30m, 8h or 1d12h',
  '--unmute': 'Send its alerts again',
  '--disable': 'Do not evaluate the rule',
  '--enable': 'Evaluate the rule again',
} as const

export default command({
  args: '<rule>',
  flags: ownFlags,
  details: '\nUpdates a rule, given by name or id. Settings without a flag are kept.',
  examples: [
    'cli alerts rules update "busy shop" --mute-for 8h',
    'cli alerts rules update "busy shop" --threshold 90 --channel ops --channel mail',
  ],
  fields: { ...ruleFields, name: '--name', muted_until: '--mute-for', enabled: '--enable' },
  run: update,
})

type Flags = Call<'<rule>', typeof ownFlags>['flags']

async function update({ args, flags, client, print }: Call<'<rule>', typeof ownFlags>) {
  const given = changeOf(flags)
  const isEmpty = Object.values(given).every((value) => value === undefined)
  if (isEmpty && flags.channel.length === 0)
    throw wrongUsage('nothing to change: give at least one flag')
  const service = await client()
  const { id } = await findRule(service, args.rule)
  const channels = await findChannelIds(service, flags.channel)
  const body = channels ? { ...given, channels } : given
  print.reply(await service.put('/alert-rules/{id}', { path: { id }, body }), (rule) =>
    print.line(`${clean(rule.name)} is updated`),
  )
}

function changeOf(flags: Flags): AlertRuleChange {
  if (flags.enable && flags.disable) throw wrongUsage('--enable and --disable: use only one')
  if (flags.unmute && flags.muteFor !== undefined)
    throw wrongUsage('--unmute and --mute-for: use only one')
  if (flags.noChannels && flags.channel.length > 0)
    throw wrongUsage('--no-channels and --channel: use only one')
  const given = readRuleFlags(flags)
  if (flags.matchEverything && given.match)
    throw wrongUsage('--match-everything: cannot be combined with other --match flags')
  return {
    ...given,
    name: flags.name,
    ...(flags.matchEverything && { match: {} }),
    ...(flags.noChannels && { channels: [] }),
    ...(flags.unmute && { muted_until: null }),
    ...(flags.muteFor !== undefined && { muted_until: endOf(flags.muteFor) }),
    ...((flags.enable || flags.disable) && { enabled: flags.enable }),
  }
}

const endOf = (duration: string): string =>
  new Date(Date.now() + durationOf('--mute-for', duration) * 1000).toISOString()
