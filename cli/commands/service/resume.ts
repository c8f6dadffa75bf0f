import { command } from '../../command.ts'
import { failed } from '../../failure.ts'

export default command({
  details:
    '\nEnds a pause that `cli service pause` started, about a second later. Needs service:upgrade.',
  async run({ client, print }) {
    const service = await client()
    const { value } = await service.get('/service/upgrade')
    if (!value.pause) throw failed('the service is not paused')
    const { operation_id: id } = value.pause
    const reply = await service.post('/operations/{id}/cancel', { path: { id } })
    print.reply(reply, () => print.line('the pause ends'))
  },
})
