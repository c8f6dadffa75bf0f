import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { createStack } from '../../data/new-stack.ts'
import { draft, forgetDraft, isName, nameIn } from '../../data/stack-draft.ts'
import { useValidation } from '../../data/validate-stack.ts'
import { go } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { ComposeEditor } from './new/compose-editor.tsx'
import { NameAndHost } from './new/name-and-host.tsx'
import { NewStackPage } from './new/new-stack-page.tsx'
import { isError, ProblemList } from './new/problem-list.tsx'

/** A new stack from the text of a compose file. */
export default function NewStack() {
  const { compose, env } = draft
  const validation = useValidation(filesOf(compose.value, env.value))
  const problems = validation.problems.value ?? []
  const target = useSignal<{ path: string; line: number; column: number } | undefined>(undefined)
  const hadEnv = useRef(env.value !== '').current
  const create = useMemo(creating, [])
  const suggested = nameIn(compose.value)
  const name = draft.name.value || suggested || ''
  const problem = create.problem.value
  const isTaken = problem?.status === 409
  const of = (path: string) => problems.filter((one) => one.path === path)
  // The editor moves the marks with the text until there are newer ones.
  const inCompose = useMemo(() => of('compose.yaml'), [validation.problems.value])
  const goTo = (path: string) => (target.value?.path === path ? target.value : undefined)
  const submit = (event: Event) => {
    event.preventDefault()
    const host = draft.host.value
    void create.run({
      name,
      compose: compose.value,
      ...(host && { host }),
      ...(env.value && { env: env.value }),
    })
  }
  const hasErrors = !validation.isChecking.value && problems.some(isError)
  const blocked = blockedBy(name, compose.value, hasErrors)
  return (
    <NewStackPage>
      <form class="new-stack" onSubmit={submit}>
        <NameAndHost suggested={suggested} error={isTaken ? problem.error : undefined} />
        <ComposeEditor
          value={compose.value}
          problems={inCompose}
          goTo={goTo('compose.yaml')}
          onInput={(text) => {
            compose.value = text
          }}
        />
        <ProblemList
          of={validation}
          onOpen={({ path, line, column }) => {
            target.value = { path, line, column }
          }}
        />
        <details open={hadEnv || goTo('.env') !== undefined}>
          <summary>{t.newStack.env}</summary>
          <CodeField
            label=".env"
            help={t.newStack.envHelp}
            rows={4}
            value={env.value}
            marks={of('.env')}
            goTo={goTo('.env')}
            onInput={(text) => {
              env.value = text
            }}
          />
        </details>
        {problem && !isTaken && <Problem title={t.newStack.notCreated} {...problem} />}
        <div class="new-stack-actions">
          <Button
            kind="primary"
            type="submit"
            blocked={blocked}
            busy={create.pending.value && t.newStack.creating}
          >
            {t.newStack.create(name)}
          </Button>
          <span class="new-stack-note">{t.newStack.notDeployed}</span>
        </div>
      </form>
    </NewStackPage>
  )
}

/** Returns what is checked while it is typed. An empty compose file is not. */
const filesOf = (compose: string, env: string) =>
  compose.trim() === '' ? undefined : { compose, ...(env && { env }) }

/** Returns why the stack cannot be created yet. */
function blockedBy(name: string, compose: string, hasErrors: boolean): string | undefined {
  if (compose.trim() === '') return t.newStack.needsCompose
  if (!isName(name)) return name === '' ? t.newStack.needsName : t.newStack.nameWrong
  return hasErrors ? t.newStack.mendFirst : undefined
}

const creating = () =>
  act(
    async (body: Parameters<typeof createStack>[0]) => {
      const { name } = await createStack(body)
      forgetDraft()
      go(`/stacks/${name}`)
      return name
    },
    { ended: t.newStack.created, failed: t.newStack.notCreated, tellsProblem: false },
  )
