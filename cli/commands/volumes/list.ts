import { command } from '../../command.ts'
import { showList } from '../../lists.ts'
import type { Volume } from '../../records.ts'
import { moment } from '../../units.ts'

export default command({
  run: (call) =>
    showList<Volume>(call, '/volumes', [
      { head: 'NAME', text: (one) => one.name },
      { head: 'DRIVER', text: (one) => one.driver },
      { head: 'STACK', text: (one) => one.stack },
      { head: 'CREATED', text: (one) => moment(one.created_at) },
    ]),
})
