import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../api/client.ts'
import type { ServiceUpgrade } from '../../api/types.ts'
import { command } from '../../command.ts'
import { interrupted, wrongUsage } from '../../failure.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import type { Io } from '../../io.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'

/** Milliseconds. */
const limits = {
  /** Between two requests. */
  interval: 1000,
  /** For which nothing must run: what began just before the pause may be recorded late. */
  quiet: 3000,
}

export default command({
  flags: {
    '--minutes <number>': 'How long the pause lasts at most, from 1 to 60; 15 by default',
    ...detachFlag,
  },
  details: `
Lets no deployment, backup or restore begin, so that an upgrade interrupts none, and waits for those that run. Requests
get 409 meanwhile; what is due by a schedule stays due. The pause ends after the minutes, with \`cli service resume\`, or
seconds after its process has ended. Needs service:upgrade.`,
  examples: ['cli service pause', 'cli service pause --minutes 30'],
  async run({ flags, client, print, io }) {
    const minutes = minutesOf(flags.minutes)
    const service = await client()
    const reply = await service.post('/service/pause', { body: { minutes } })
    if (!flags.detach) await untilQuiet(service, print, io)
    print.reply(reply, () => {
      const waiting = flags.detach ? '' : ', and nothing runs'
      const unit = minutes === 1 ? 'minute' : 'minutes'
      print.line(`paused for ${minutes} ${unit} at most${waiting}`)
      print.note('to end the pause: cli service resume')
    })
  },
})

function minutesOf(text: string | undefined): number {
  if (text === undefined) return 15
  const minutes = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (minutes >= 1 && minutes <= 60) return minutes
  throw wrongUsage(`--minutes ${JSON.stringify(text)}: must be a number from 1 to 60`)
}

/** Waits until nothing has run for a while. An interrupt stops the waiting, not the pause. */
async function untilQuiet(service: Client, print: Printer, io: Pick<Io, 'onInterrupt'>) {
  const stop = new AbortController()
  const { signal } = stop
  const undo = io.onInterrupt?.(() => stop.abort())
  let said = ''
  let quietSince = performance.now()
  try {
    while (performance.now() - quietSince < limits.quiet) {
      const { value } = await service.get('/service/upgrade', { signal })
      if (value.running.length > 0) quietSince = performance.now()
      const names = runningText(value)
      if (names !== said && names !== '') print.note(`waiting for ${names}`)
      said = names
      await sleep(limits.interval, undefined, { signal })
    }
  } catch (error) {
    if (signal.aborted) throw interrupted('the pause goes on; to end it: cli service resume')
    throw error
  } finally {
    undo?.()
  }
}

const runningText = ({ running }: ServiceUpgrade) =>
  running.map(({ kind, name }) => `${kind} ${clean(name)}`).join(', ')
