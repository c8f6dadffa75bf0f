import type { Client } from '../../api/client.ts'
import { command } from '../../command.ts'
import { ApiFailure } from '../../failure.ts'
import { clean } from '../../output/text.ts'
import { hostFor } from '../../resolve/host.ts'
import type { Limits, StackCheck, Verdict } from '../../stacks/check-stack.ts'

export default command({
  args: '[...names]',
  flags: { '-a, --all': 'Also show the stacks that pass' },
  details: `
Shows which stacks this version refuses to callers without the permission stacks:privileged, without an overlay and
with each of them. Run it with the new client before you upgrade the service. Refused stacks keep running, and you can
still stop, restart and read them, but deploying or changing them requires that permission. Checks all stacks that you
can read unless you name some. Changes nothing.

Exits with 1 if a stack is refused.`,
  examples: ['cli stacks check', 'cli stacks check shop --output json'],
  async run({ args, flags, client, print }) {
    const service = await client()
    const host = await hostFor(service, flags.host)
    const names = args.names.length > 0 ? args.names : await namesOf(service, host)
    const { limits, note } = await limitsOf(service)
    const checks = await checkAll(service, names, limits)
    const verdicts = checks.flatMap((check) => check.verdicts)
    const refused = verdicts.filter(({ result }) => result === 'refused')
    print.data(checks.map(asJson), () => {
      const shown = flags.all ? verdicts : verdicts.filter(({ result }) => result !== 'ok')
      if (shown.length > 0) print.table(shown, columns)
      for (const check of checks) {
        for (const note of check.notes) print.note(clean(`${check.verdicts[0]?.stack}: ${note}`))
      }
      if (note) print.note(note)
      print.note(summary(checks, refused))
    })
    return refused.length > 0 ? 1 : 0
  },
})

const columns = [
  { head: 'STACK', text: ({ stack }: Verdict) => stack },
  { head: 'ENVIRONMENT', text: ({ environment }: Verdict) => environment },
  { head: 'RESULT', text: ({ result }: Verdict) => result },
  { head: 'REASON', text: ({ reason }: Verdict) => reason },
]

async function namesOf(service: Client, host: string | undefined): Promise<string[]> {
  const { value } = await service.get('/stacks', { query: { host } })
  return value.map(({ name }) => name)
}

/**
 * Returns the registries that the service allows besides public ones. An older service has no such
 * setting.
 */
async function limitsOf(service: Client): Promise<{ limits: Limits; note?: string }> {
  try {
    const [stored, settings] = await Promise.all([
      service.get('/registries'),
      service.get('/settings'),
    ])
    const named = stored.value.map(({ address }) => address)
    return { limits: { registries: [...named, ...(settings.value['registry.allow'] ?? [])] } }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 403) throw error
    const missing = 'the permissions registries:manage and settings:manage'
    return { limits: {}, note: `not checked: the allowed registries (requires ${missing})` }
  }
}

/** Checks one stack at a time, because the texts of all stacks together may be large. */
async function checkAll(
  service: Client,
  names: readonly string[],
  limits: Limits,
): Promise<StackCheck[]> {
  const { checkStack } = await import('../../stacks/check-stack.ts')
  const checks: StackCheck[] = []
  for (const name of names) {
    const { value } = await service.get('/stacks/{name}', { path: { name } })
    checks.push(checkStack(value, limits))
  }
  return checks
}

const asJson = ({ verdicts, notes }: StackCheck) => ({
  stack: verdicts[0]?.stack,
  host: verdicts[0]?.host,
  result: worst(verdicts),
  environments: verdicts.map(({ environment, result, reason }) => ({
    environment,
    result,
    reason,
  })),
  notes,
})

const worst = (verdicts: readonly Verdict[]): Verdict['result'] =>
  (['refused', 'unknown'] as const).find((result) =>
    verdicts.some((verdict) => verdict.result === result),
  ) ?? 'ok'

function summary(checks: readonly StackCheck[], refused: readonly Verdict[]): string {
  const count = (result: Verdict['result']) =>
    checks.filter(({ verdicts }) => worst(verdicts) === result).length
  const counted = `${count('ok')} ok, ${count('refused')} refused, ${count('unknown')} unknown`
  if (refused.length === 0) return counted
  return `${counted}; change the named parts of the refused stacks, or deploy them with an account that has stacks:privileged`
}
