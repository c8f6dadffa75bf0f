import { useMemo } from 'preact/hooks'
import type { components } from '../data/api.types.ts'
import { useResource } from '../data/cache.ts'
import { can } from '../data/session.ts'
import { servicesUp } from '../data/stack-words.ts'
import { useQuery } from '../frame/address.ts'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { LinkButton } from '../parts/link.tsx'
import { t } from '../text/text.ts'
import { Choice } from './logs/choice.tsx'
import type { LogSource } from './logs/log-feed.ts'
import { LogView } from './logs/log-view.tsx'
import { StackPicker } from './logs/stack-picker.tsx'

type Stack = components['schemas']['Stack']

/** The most stacks to follow. Each one needs its own connection. */
const mostStacks = 12
/** The logs of several stacks as one, by their times. */
export default function Logs() {
  const read = useResource('/stacks')
  const { value } = read
  const [text, setText] = useQuery('stacks')
  const names = (value.value ?? []).map(({ name }) => name)
  const chosen = text.split(',').filter((one) => names.includes(one))
  const choose = (next: readonly string[]) => setText(next.slice(0, mostStacks).join(','))
  const isChosen = chosen.length > 0
  return (
    <Page
      title={t.logs.title}
      isFull={isChosen}
      state={
        isChosen && (
          <Choice
            label={t.logs.stacks}
            summary={wordsOf(chosen)}
            options={names}
            chosen={chosen}
            onChange={choose}
            most={mostStacks}
          />
        )
      }
    >
      {isChosen ? (
        <Merged chosen={chosen} />
      ) : (
        <Loaded
          of={read}
          what={t.logs.stacksWhat}
          failed={t.logs.stacksFailed}
          empty={<NoStacks />}
        >
          {(stacks) => <Begin stacks={stacks} onChoose={choose} />}
        </Loaded>
      )}
    </Page>
  )
}

/** What is followed: "shop" or "3 stacks". */
const wordsOf = (chosen: readonly string[]): string =>
  chosen.length === 1 ? (chosen[0] ?? '') : t.logs.chosen(chosen.length)

function Merged({ chosen }: { chosen: readonly string[] }) {
  const sources = useMemo(
    () =>
      chosen.map(
        (name): LogSource => ({
          path: '/ws/stacks/{name}/logs',
          params: { name },
          ...(chosen.length > 1 && { name }),
        }),
      ),
    [chosen.join()],
  )
  const what = wordsOf(chosen)
  return (
    <LogView
      label={t.logs.of(what)}
      sources={sources}
      file={chosen.length === 1 ? what : 'stacks'}
      hasSources
    />
  )
}

interface BeginProps {
  stacks: readonly Stack[]
  onChoose: (names: readonly string[]) => void
}

/** Nothing is chosen yet: what there is to follow. */
function Begin({ stacks, onChoose }: BeginProps) {
  const running = stacks.filter(({ services }) => servicesUp(services) > 0)
  const all = running.length > 0 && running.length <= mostStacks && (
    <Button kind="primary" onClick={() => onChoose(running.map(({ name }) => name))}>
      {t.logs.followAll}
    </Button>
  )
  return (
    <>
      <Empty title={t.logs.choose} action={all}>
        {t.logs.chooseWhy} {stacks.length > mostStacks && t.logs.tooMany(mostStacks)}
      </Empty>
      <StackPicker stacks={stacks} />
    </>
  )
}

function NoStacks() {
  const action = can('containers:read') && (
    <LinkButton href="/containers">{t.logs.containers}</LinkButton>
  )
  return (
    <Empty title={t.logs.empty} action={action}>
      {t.logs.emptyNext}
    </Empty>
  )
}
