import { clientWorld } from '../harness/client.ts'
import { killClients } from './kill-clients.ts'

/** Kills 500 clients, or as many as the argument says, while they renew their session. */
const kills = Number(process.argv[2] ?? 500)
const start = Date.now()
await using world = await clientWorld()
const { problems, ended, renewing, sessionsLost, files } = await killClients(world, kills)
for (const problem of problems) console.log(problem)
console.log(`files: ${files.join(', ')}`)
console.log(
  `${kills} clients in ${Math.round((Date.now() - start) / 1000)} s: ` +
    `${kills - ended} killed before their end, ${renewing} of them after the request for new tokens, ` +
    `${sessionsLost} sessions lost, ` +
    `${problems.length} configurations damaged`,
)
process.exitCode = problems.length > 0 ? 1 : 0
