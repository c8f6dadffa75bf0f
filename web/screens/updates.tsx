import { splitHosts } from '../data/host-lists.ts'
import { countStates, hasProposals, type Update, updateStates } from '../data/newer-images.ts'
import { can } from '../data/session.ts'
import { useUpdates } from '../data/updates.ts'
import { useQuery } from '../frame/address.ts'
import { HostFilter, Unreachable, useHostFilter } from '../frame/host-filter.tsx'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { Empty } from '../parts/empty.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Select } from '../parts/select.tsx'
import { t } from '../text/text.ts'
import { hasNextIn, isShown, nextChoices, nextOf, stateOf } from './updates/filter-updates.ts'
import { LookNow } from './updates/look-now.tsx'
import { LookTimes } from './updates/look-times.tsx'
import { NothingNewer } from './updates/nothing-newer.tsx'
import { UpdateTable } from './updates/update-table.tsx'

/** The services of all stacks, and whether their registries have newer images. */
export default function Updates() {
  const [host] = useHostFilter()
  const updates = useUpdates(host)
  const known = updates.value.value && splitHosts(updates.value.value).items
  return (
    <Page
      title={t.frame.updates}
      actions={can('stacks:deploy') && <LookNow />}
      toolbar={known && <Toolbar of={known} />}
    >
      <Loaded of={updates} what={t.updates.what} failed={t.updates.failed}>
        {(value) => <Content of={splitHosts(value)} />}
      </Loaded>
    </Page>
  )
}

/** Returns the filter of the list from the address. */
function useFilter() {
  const [text, setText] = useQuery('filter')
  const [word, setState] = useQuery('state', 'newer')
  const [next, setNext] = useQuery('next', 'any')
  const filter = { text, state: stateOf(word), next: nextOf(next) }
  return { filter, setText, setState, setNext }
}

function Toolbar({ of }: { of: readonly Update[] }) {
  const { filter, setText, setState, setNext } = useFilter()
  const counts = countStates(of)
  return (
    <>
      <SearchField label={t.updates.filter} value={filter.text} onInput={setText} />
      <HostFilter />
      <Select
        label={t.updates.state}
        isBare
        value={filter.state}
        onChange={setState}
        options={[
          ...updateStates.map((value) => ({
            value,
            label: t.updates.choices[value](counts[value]),
          })),
          {
            value: 'proposed' as const,
            label: t.updates.choices.proposed(of.filter(hasProposals).length),
          },
          { value: 'all' as const, label: t.updates.choices.all(of.length) },
        ]}
      />
      {(filter.next !== 'any' || of.some(({ next }) => next.kind !== 'none')) && (
        <Select
          label={t.updates.whatNext}
          isBare
          value={filter.next}
          onChange={setNext}
          options={[
            { value: 'any' as const, label: t.updates.nextChoices.any },
            ...nextChoices.map((value) => ({
              value,
              label: t.updates.nextChoices[value](
                of.filter((update) => hasNextIn(update, value)).length,
              ),
            })),
          ]}
        />
      )}
    </>
  )
}

function Content({ of: { items, unreachable } }: { of: ReturnType<typeof splitHosts<Update>> }) {
  const { filter } = useFilter()
  const rows = items.filter((update) => isShown(update, filter))
  const isWhole = unreachable.length === 0
  const isNothingNewer = filter.state === 'newer' && countStates(items).newer === 0
  return (
    <>
      <Unreachable of={unreachable} />
      {rows.length > 0 && (
        <>
          <p class="quiet-text">
            <LookTimes of={items} />
          </p>
          <UpdateTable rows={rows} />
        </>
      )}
      {items.length === 0 && isWhole && (
        <Empty title={t.updates.empty}>{t.updates.emptyNext}</Empty>
      )}
      {(items.length === 0 ? !isWhole : isNothingNewer) && (
        <NothingNewer of={items} isWhole={isWhole} />
      )}
      {items.length > 0 && rows.length === 0 && !isNothingNewer && <Empty title={t.parts.noRows} />}
    </>
  )
}
