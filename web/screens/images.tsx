import './images/images.css'
import { Download } from 'lucide'
import { useResource } from '../data/cache.ts'
import { splitHosts } from '../data/host-lists.ts'
import { type Image, keyOfImage, nameOfImage } from '../data/images.ts'
import { can } from '../data/session.ts'
import { useOverlay, useQuery } from '../frame/address.ts'
import { HostFilter, Unreachable, useHostFilter } from '../frame/host-filter.tsx'
import { Loaded } from '../frame/loaded.tsx'
import { Page } from '../frame/page.tsx'
import { usePageAction } from '../frame/page-action.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { isPhone } from '../parts/phone.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Select } from '../parts/select.tsx'
import { useChosen } from '../parts/use-chosen.ts'
import { t } from '../text/text.ts'
import { ImageDetail } from './images/image-detail.tsx'
import { ImageTable } from './images/image-table.tsx'
import { PruneImages } from './images/prune-images.tsx'
import { PullImage } from './images/pull-image.tsx'
import { PullsPanel } from './images/pulls-panel.tsx'
import { RemoveImages } from './images/remove-images.tsx'

/** The images of all hosts: their size, who uses them, pull and prune. */
export default function Images() {
  const [host] = useHostFilter()
  const images = useResource('/images', { host })
  const [open, setOpen] = useOverlay('open')
  const close = () => setOpen('')
  const mayPull = can('images:pull')
  const pull = () => setOpen('pull')
  usePageAction(mayPull && { label: t.images.pull, icon: Download, keys: 'n', run: pull })
  const actions = (
    <>
      {can('images:delete') && <Button onClick={() => setOpen('prune')}>{t.images.prune}</Button>}
      {mayPull && (
        <Button kind="primary" icon={Download} onClick={pull}>
          {t.images.pull}
        </Button>
      )}
    </>
  )
  return (
    <Page title={t.frame.images} actions={actions} toolbar={<Toolbar />}>
      {open !== 'pull' && <PullsPanel />}
      <Loaded of={images} what={t.frame.images} failed={t.images.failed}>
        {(value) => <Content of={splitHosts(value)} />}
      </Loaded>
      {open === 'pull' && mayPull && <PullImage onClose={close} />}
      {open === 'prune' && can('images:delete') && <PruneImages onClose={close} />}
    </Page>
  )
}

type Use = 'all' | 'used' | 'unused' | 'unnamed'

function Toolbar() {
  const [filter, setFilter] = useQuery('filter')
  const [use, setUse] = useQuery('use', 'all')
  return (
    <>
      <SearchField label={t.images.filter} value={filter} onInput={setFilter} />
      <HostFilter />
      <Select
        label={t.images.use}
        isBare
        value={use as Use}
        onChange={setUse}
        options={(['all', 'used', 'unused', 'unnamed'] as const).map((value) => ({
          value,
          label: t.images.uses[value],
        }))}
      />
    </>
  )
}

const isOfUse = ({ containers, tags }: Image, use: string) =>
  use === 'all' ||
  (use === 'unnamed' ? tags.length === 0 : use === 'used' ? containers > 0 : containers === 0)

function Content({ of: { items, unreachable } }: { of: ReturnType<typeof splitHosts<Image>> }) {
  const [filter] = useQuery('filter')
  const [use] = useQuery('use', 'all')
  const [selected, select] = useOverlay('image', isPhone.value)
  const words = filter.toLowerCase()
  const rows = items.filter(
    (image) =>
      isOfUse(image, use) &&
      [nameOfImage(image), image.id, ...image.tags].some((text) => text.includes(words)),
  )
  const mayRemove = can('images:delete')
  const selection = useChosen(items.map(keyOfImage))
  const image = items.find((one) => keyOfImage(one) === selected)
  return (
    <>
      <Unreachable of={unreachable} />
      {rows.length > 0 && (
        <ImageTable rows={rows} selected={selected} selection={mayRemove ? selection : undefined} />
      )}
      {rows.length === 0 && items.length > 0 && <Empty title={t.parts.noRows} />}
      {items.length === 0 && unreachable.length === 0 && (
        <Empty title={t.images.empty}>{t.images.emptyNext}</Empty>
      )}
      {mayRemove && <RemoveImages selection={selection} images={items} />}
      {image && <ImageDetail image={image} onClose={() => select('')} />}
    </>
  )
}
