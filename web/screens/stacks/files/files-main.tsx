import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { StackProblem, Validation } from '../../../data/validate-stack.ts'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Link } from '../../../parts/link.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Tabs } from '../../../parts/tabs.tsx'
import { t } from '../../../text/text.ts'
import { FileBar } from './file-bar.tsx'
import { FilePane } from './file-pane.tsx'
import { isManaged } from './managed.ts'
import { MergePane } from './merge-pane.tsx'
import { ProblemList } from './problem-list.tsx'
import type { StackDetails } from './stack.ts'
import { tabPathsOf } from './tree.ts'
import type { Workspace } from './workspace.ts'

interface FilesMainProps {
  stack: StackDetails
  /** The file that is open. */
  path: string
  workspace: Workspace
  validation: Validation
  hrefOf: (path: string) => string
  open: (path?: string) => void
  isModelShown: boolean
  toggleModel: () => void
}

const nothing: readonly StackProblem[] = []

/** The file that is open, with the compose files as tabs and the problems of all files. */
export function FilesMain(props: FilesMainProps) {
  const { stack, path, workspace, validation, hrefOf, open } = props
  const { name, files, source } = stack
  const file = files.find((one) => one.path === path)
  const isOfSource = file !== undefined && isManaged(stack, file)
  const goTo = useSignal<StackProblem | undefined>(undefined)
  const revealed = useSignal<ReadonlySet<string>>(new Set())
  const problems = validation.problems.value ?? nothing
  const shown = useMemo(() => problems.filter((one) => one.path === path), [problems, path])
  const merge = workspace.merge.value
  const failure = workspace.save.problem.value
  const save = () => {
    if (workspace.edits.value.size > 0) void workspace.save.run()
  }
  const secret = {
    isRevealed: revealed.value.has(path),
    onReveal: () => {
      const next = new Set(revealed.value)
      if (!next.delete(path)) next.add(path)
      revealed.value = next
    },
  }
  const openProblem = (problem: StackProblem) => {
    goTo.value = { ...problem }
    if (problem.path !== path) open(problem.path)
  }
  return (
    <section class="files-main" aria-label={path}>
      <a class="files-back" href={`/stacks/${encodeURIComponent(name)}/files`}>
        {t.files.all}
      </a>
      <Tabs
        label={t.files.tree}
        tabs={tabPathsOf(files).map((one) => ({ href: hrefOf(one), label: one }))}
        current={hrefOf(path)}
      />
      <FileBar
        stack={stack}
        file={file}
        path={path}
        workspace={workspace}
        {...secret}
        isModelShown={props.isModelShown}
        onModel={props.toggleModel}
        onSave={save}
        onOpen={open}
      />
      {source && isOfSource && (
        <p class="files-managed">
          <span>{t.files.managed(t.followed.place(source.source, source.path))}</span>
          <Link href={`/stacks/${encodeURIComponent(name)}`}>{t.files.managedNext(name)}</Link>
        </p>
      )}
      {failure && <Problem title={t.files.notSaved} {...failure} />}
      <div class="files-content">
        {merge ? (
          <MergePane key={`${merge.path} ${merge.revision}`} merge={merge} workspace={workspace} />
        ) : file ? (
          <FilePane
            key={path}
            name={name}
            file={file}
            workspace={workspace}
            isManaged={isOfSource}
            isFollowing={stack.source !== null}
            {...secret}
            problems={shown}
            goTo={goTo.value?.path === path ? goTo.value : undefined}
            onSave={save}
          />
        ) : (
          <Empty
            title={t.files.gone(path)}
            action={<Button onClick={() => open()}>{t.files.all}</Button>}
          >
            {workspace.edits.value.has(path) ? t.files.goneEdited : t.files.goneWhy}
          </Empty>
        )}
      </div>
      <ProblemList validation={validation} onOpen={openProblem} />
    </section>
  )
}
