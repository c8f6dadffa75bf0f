import { command } from '../../command.ts'
import { showList } from '../../lists.ts'
import type { Network } from '../../records.ts'
import { shortId } from '../../units.ts'

export default command({
  run: (call) =>
    showList<Network>(call, '/networks', [
      { head: 'NETWORK', text: (one) => shortId(one.id) },
      { head: 'NAME', text: (one) => one.name },
      { head: 'DRIVER', text: (one) => one.driver },
      { head: 'STACK', text: (one) => one.stack },
    ]),
})
