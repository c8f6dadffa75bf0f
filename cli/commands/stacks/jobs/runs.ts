import { type Call, command } from '../../../command.ts'
import { failed } from '../../../failure.ts'
import { runFacts, showRun } from '../../../output/job.ts'
import { statusStyle } from '../../../output/status-style.ts'
import { clean } from '../../../output/text.ts'
import { moment, tookOf } from '../../../output/units.ts'
import { checkHost } from '../../../resolve/host.ts'

const args = '<name> <job> [run]'
const ownFlags = { '--tail <lines>': 'Lines of a log, up to 1000; 100 by default' } as const

export default command({
  args,
  flags: ownFlags,
  list: true,
  details: `
Lists the kept runs of a job of a stack, newest first. Given the id of a run, its beginning or \`last\`, shows that run
with the end of its log.`,
  examples: ['cli stacks jobs runs shop clean-up', 'cli stacks jobs runs shop clean-up last'],
  fields: { id: '[run]', tail: '--tail' },
  run: runs,
})

async function runs({
  args: { name, job, run },
  flags,
  client,
  print,
}: Call<typeof args, typeof ownFlags>) {
  const service = await client()
  await checkHost(service, name, flags.host)
  const path = { name, job }
  const query = { tail: flags.tail }
  const reply = await service.get('/stacks/{name}/jobs/{job}/runs', { path, query })
  if (run === undefined) {
    print.reply(reply, (found) =>
      print.table(found, [
        { head: 'ID', text: (one) => one.id },
        { head: 'STATUS', text: (one) => one.status, style: statusStyle },
        { head: 'STARTED', text: (one) => moment(one.started_at) },
        { head: 'TOOK', text: (one) => tookOf(one) },
        { head: 'CODE', text: (one) => one.exit_code },
        { head: 'BY', text: (one) => one.by },
        { head: 'ERROR', text: (one) => one.error },
      ]),
    )
    return
  }
  const [first, ...more] = reply.value.filter(({ id }, at) =>
    run === 'last' ? at === 0 : id.startsWith(run),
  )
  if (!first || more.length > 0) {
    const why = first ? 'several runs begin with' : 'there is no run'
    throw failed(`${clean(job)} of ${clean(name)}: ${why} ${clean(run)}`)
  }
  const one = await service.get('/stacks/{name}/jobs/{job}/runs/{id}', {
    path: { name, job, id: first.id },
    query,
  })
  print.reply(one, (found) => {
    print.facts(runFacts(found))
    showRun(found, print)
  })
}
