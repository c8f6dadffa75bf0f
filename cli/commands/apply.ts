import { type Call, command } from '../command.ts'
import { readEstate } from '../estate/read-estate.ts'
import { secretValues } from '../estate/secret-values.ts'
import { wrongUsage } from '../failure.ts'
import { readNamed } from '../flags/named-file.ts'
import { missingSecrets, showEstatePlan } from '../output/estate-plan.ts'
import { clean } from '../output/text.ts'
import { readInput } from '../prompt.ts'

const ownFlags = {
  '-f, --file <file>': 'The file, as `cli export` writes it, or - for standard input',
  '--secrets <file>': 'Lines NAME=value of the secrets that the file refers to',
  '--dry-run': 'Show what would happen; nothing is changed',
} as const

export default command({
  flags: ownFlags,
  details: `
Compares a file that declares registries, roles, alert channels, sources, stacks, backup jobs, update policies and alert
rules with the service, and shows what would be created and changed, and what you may not do. It needs --dry-run:
nothing is written yet. What the file does not declare is not touched. Secrets are not sent: the client says which ones
it finds neither in the environment nor in the file of --secrets. Stored secrets are kept. Exits with 1 if a step would
be refused or a secret is missing.`,
  examples: [
    'cli apply -f estate.yaml --dry-run',
    'cli apply -f estate.yaml --secrets estate.env --dry-run',
  ],
  run: apply,
})

async function apply({ flags, client, print, io }: Call<'', typeof ownFlags>): Promise<number> {
  const { file, dryRun } = flags
  if (file === undefined) throw wrongUsage('--file <file> is required')
  if (!dryRun) throw wrongUsage('--dry-run is required: files are compared, and not applied yet')
  const known = await secretValues(flags.secrets, io)
  const text = file === '-' ? await readInput(io, textMax) : await readNamed(io, file, 'file')
  const body = readEstate(text, file === '-' ? 'standard input' : clean(file))
  const service = await client()
  const reply = await service.post('/estate/plan', { body })
  print.reply(reply, (plan) => showEstatePlan(plan, print))
  const missing = missingSecrets(reply.value, known)
  for (const name of missing) print.note(`the secret ${clean(name)} is missing`)
  const isRefused = reply.value.steps.some(({ problems }) => problems.length > 0)
  return isRefused || missing.length > 0 ? 1 : 0
}

/** The service takes no larger body. */
const textMax = 8 * 1024 * 1024
