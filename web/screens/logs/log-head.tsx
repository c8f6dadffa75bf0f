import { useComputed } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { t } from '../../text/text.ts'
import type { LogModel } from './log-model.ts'
import { earliest } from './log-pages.ts'
import { useLogQuery } from './use-log-query.ts'

/** Above the first line: whether there are older ones, and how to see them. */
export function LogHead({ model }: { model: LogModel }) {
  const isEmpty = useComputed(() => model.count.value === 0).value
  return <div class="log-head">{!isEmpty && <Words model={model} />}</div>
}

function Words({ model }: { model: LogModel }) {
  const { state, problem } = model.history
  const load = () => void model.loadOlder()
  if (problem.value) {
    return (
      <>
        <span class="log-head-problem" role="status">
          {t.logs.olderFailed(problem.value.error)}
        </span>
        <Button kind="quiet" onClick={load}>
          {t.logs.tryAgain}
        </Button>
      </>
    )
  }
  if (state.value === 'loading') return <span role="status">{t.logs.loadingOlder}</span>
  if (state.value === 'full') return <Full model={model} />
  if (state.value === 'more') {
    return (
      <Button kind="quiet" onClick={load}>
        {t.logs.loadOlder}
      </Button>
    )
  }
  const { since } = model.history.range
  return <span>{since === undefined ? t.logs.begin : t.logs.beginOfRange}</span>
}

/** The page has no room for older lines: another one shows them. */
function Full({ model }: { model: LogModel }) {
  const { setRange, range } = useLogQuery()
  const show = () => {
    const { ring, history } = model
    const to = earliest([ring.get(ring.first)].flatMap((line) => line ?? []))
    const { since = '' } = history.range
    if (to !== undefined) setRange({ last: '', from: range.last === '' ? range.from : since, to })
  }
  return (
    <>
      <span>{t.logs.full(model.ring.capacity)}</span>
      <Button kind="quiet" onClick={show}>
        {t.logs.showOlder}
      </Button>
    </>
  )
}
