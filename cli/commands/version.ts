import { command } from '../command.ts'
import { ApiFailure, failed } from '../failure.ts'
import { cleanLines } from '../output/text.ts'
import { version } from '../version.ts'
import { skewWarning } from '../version-skew.ts'

export default command({
  details: `The client and the service may be one minor version apart. The command warns if the difference is larger.
\`cli --version\` shows the version of the client without a login.`,
  async run({ client, print }) {
    if (print.format === 'table') print.facts({ client: version })
    const service = await client()
    const reply = await service.get('/version').catch(explainMissing)
    print.reply(reply, (theirs) =>
      print.facts({
        service: theirs.version,
        commit: theirs.commit ?? 'unknown',
        'store format': formatOf(theirs.store_format),
        server: service.server,
      }),
    )
    const warning = skewWarning(version, reply.value.version)
    if (warning) print.note(`warning: ${cleanLines(warning)}`)
  },
})

function formatOf({ reads, writes }: { reads: number; writes: number }): string {
  return reads === writes ? String(writes) : `${writes}, reads up to ${reads}`
}

/** A service from before this endpoint answers 404. */
function explainMissing(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status !== 404) throw error
  throw failed('the service is too old to say its version', { hint: 'upgrade the service' })
}
