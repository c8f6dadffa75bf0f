import { useQuery } from '../../frame/address.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { t } from '../../text/text.ts'
import { StackEvents } from '../stack/stack-events.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** What happened to a stack in the last day, live. */
export default function Events() {
  const [filter, setFilter] = useQuery('filter')
  return (
    <StackPage
      toolbar={<SearchField label={t.stack.filterEvents} value={filter} onInput={setFilter} />}
    >
      {(stack) => (
        <StackEvents key={stack.host} name={stack.name} host={stack.host} filter={filter} />
      )}
    </StackPage>
  )
}
