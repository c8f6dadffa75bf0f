import type { OperationHead } from '../../api/types.ts'
import { command } from '../../command.ts'
import { statusStyle } from '../../output/status-style.ts'
import { moment, tookOf } from '../../output/units.ts'

export default command({
  flags: {
    '--kind <kind>':
      'Only these: image_pull, image_prune, stack_publish, backup_verify, service_pause or service_upgrade',
    '--status <status>': 'Only these: running, succeeded, failed or interrupted',
    '--before <id>': 'Only those that started before this one',
  },
  list: true,
  details: `
Lists the work that was started with --detach and that has no other record, newest first: pulls and prunes of images,
publications of stacks and verifications of backups. They are kept for a day after their end. You see those that you
may start yourself. Deployments and backups have lists of their own.`,
  examples: ['cli operations list --status running'],
  async run({ flags: { kind, status, before }, client, print }) {
    const service = await client()
    // The service names the values that it knows.
    const query = { kind, status, before } as { before?: string }
    const shown = (found: OperationHead[]) =>
      print.table(found, [
        { head: 'ID', text: (one) => one.id },
        { head: 'KIND', text: (one) => one.kind },
        { head: 'SUBJECT', text: ({ subject }) => subject.name },
        { head: 'HOST', text: (one) => one.host_name },
        { head: 'STATUS', text: (one) => one.status, style: statusStyle },
        { head: 'STARTED', text: (one) => moment(one.started_at) },
        { head: 'TOOK', text: (one) => tookOf(one) },
        { head: 'BY', text: (one) => one.by },
        { head: 'ERROR', text: (one) => one.error },
      ])
    print.reply(await service.get('/operations', { query }), shown, olderOnes)
  },
})

function olderOnes(operations: readonly OperationHead[]): string | undefined {
  const last = operations.at(-1)
  return last && `older ones: --before ${last.id}`
}
