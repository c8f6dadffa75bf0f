import { fillLists } from '../core/fill-lists/fill-lists.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Lists once, after an upgrade, what stacks and containers used before it needed a right',
  everySeconds: 60,
  run: fillLists,
})
