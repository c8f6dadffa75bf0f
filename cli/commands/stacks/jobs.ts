import type { StackJob } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { showJob } from '../../output/job.ts'
import { statusStyle } from '../../output/status-style.ts'
import { moment } from '../../output/units.ts'
import { checkHost } from '../../resolve/host.ts'

const args = '<name> [job]'

export default command({
  args,
  nameFromFolder: true,
  list: true,
  details: `
Lists the jobs of a stack: commands that run in new containers of its services, on a schedule or on request. A job whose
account may no longer run it is blocked, and SKIPPED says why the last scheduled time was left out. Given the name of a
job, shows all its settings, and why it is blocked.`,
  examples: ['cli stacks jobs shop', 'cli stacks jobs shop clean-up'],
  run: jobs,
})

async function jobs({ args: { name, job }, flags, client, print }: Call<typeof args>) {
  const service = await client()
  await checkHost(service, name, flags.host)
  if (job !== undefined) {
    const reply = await service.get('/stacks/{name}/jobs/{job}', { path: { name, job } })
    print.reply(reply, (one) => showJob(one, print))
    return
  }
  print.reply(await service.get('/stacks/{name}/jobs', { path: { name } }), (found) =>
    print.table(found, [
      { head: 'JOB', text: (one) => one.job },
      { head: 'SERVICE', text: (one) => one.service },
      { head: 'SCHEDULE', text: scheduleOf },
      { head: 'NEXT RUN', text: (one) => moment(one.next_run_at) },
      { head: 'ACTS AS', text: accountOf, style: statusStyle },
      { head: 'LAST', text: (one) => one.last_run?.status, style: statusStyle },
      { head: 'LAST RUN', text: (one) => moment(one.last_run?.started_at) },
      { head: 'SKIPPED', text: skippedOf },
    ]),
  )
}

function scheduleOf({ schedule, timezone, enabled }: StackJob): string {
  if (schedule === null) return 'on request'
  return enabled ? `${schedule} ${timezone}` : 'disabled'
}

const accountOf = ({ acts_as: { username, blocked } }: StackJob): string | null =>
  blocked === null ? username : 'blocked'

/** What was skipped before the last run is of no interest any more. */
function skippedOf({ last_skipped: skipped, last_run: last }: StackJob): string | undefined {
  if (!skipped || (last && last.started_at > skipped.at)) return undefined
  return `${moment(skipped.at)} ${skipped.reason}`
}
