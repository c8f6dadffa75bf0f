import type { NewAlertRule } from '../api/types.ts'
import { wrongUsage } from '../failure.ts'
import { choiceOf } from './choice.ts'
import { durationOf } from './duration.ts'

/** Flags that set what an alert rule does. */
export const ruleFlags = {
  '--metric <name>':
    'What is measured: cpu_percent, memory_percent, restarts, unhealthy, updates_available, …',
  '--operator <sign>': 'gt (the default), gte, lt, lte or eq',
  '--threshold <number>': 'The value to compare with, such as 80 for a percentage',
  '--for <duration>':
    'How long the condition must hold before the alert fires, such as 5m; 90 is seconds',
  '--cooldown <duration>':
    'How long it does not fire again for the same subject, such as 1h; 90 is seconds',
  '--severity <severity>': 'info, warning (the default) or critical',
  '--match-host <...pattern>': 'Only these hosts; `*` matches any text; repeatable',
  '--match-stack <...pattern>': 'Only these stacks; repeatable',
  '--match-container <...pattern>': 'Only these containers; repeatable',
  '--channel <...channel>': 'Send its alerts to this channel, given by name or id; repeatable',
} as const

/** What those flags set, where the API calls it otherwise. */
export const ruleFields = {
  for_seconds: '--for',
  cooldown_seconds: '--cooldown',
  channels: '--channel',
  'match.hosts': '--match-host',
  'match.stacks': '--match-stack',
  'match.containers': '--match-container',
} as const

interface Values {
  metric: string | undefined
  operator: string | undefined
  threshold: string | undefined
  for: string | undefined
  cooldown: string | undefined
  severity: string | undefined
  matchHost: string[]
  matchStack: string[]
  matchContainer: string[]
}

/** Returns the fields of a rule that the flags set, except its channels. */
export function readRuleFlags(flags: Values): Partial<NewAlertRule> {
  const match = {
    ...(flags.matchHost.length > 0 && { hosts: flags.matchHost }),
    ...(flags.matchStack.length > 0 && { stacks: flags.matchStack }),
    ...(flags.matchContainer.length > 0 && { containers: flags.matchContainer }),
  }
  const { metric, threshold, for: period, cooldown } = flags
  return {
    // The service knows the metrics: a newer one has more.
    ...(metric !== undefined && { metric: metric as NewAlertRule['metric'] }),
    operator: choiceOf('--operator', flags.operator, ['gt', 'gte', 'lt', 'lte', 'eq']),
    ...(threshold !== undefined && { threshold: numberOf('--threshold', threshold) }),
    ...(period !== undefined && { for_seconds: durationOf('--for', period, 's') }),
    ...(cooldown !== undefined && { cooldown_seconds: durationOf('--cooldown', cooldown, 's') }),
    severity: choiceOf('--severity', flags.severity, ['info', 'warning', 'critical']),
    ...(Object.keys(match).length > 0 && { match }),
  }
}

function numberOf(flag: string, text: string): number {
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text)
  throw wrongUsage(`${flag} ${JSON.stringify(text)}: must be a number`)
}
