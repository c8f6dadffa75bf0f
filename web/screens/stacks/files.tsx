import { StackPage } from '../stack/stack-page.tsx'
import { FilesView } from './files/files-view.tsx'

/** The files of a stack. */
export default function Files() {
  return <StackPage isFull>{(stack) => <FilesView stack={stack} />}</StackPage>
}
