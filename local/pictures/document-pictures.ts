import type { Screen } from './screens.ts'

interface DocumentPicture extends Screen {
  theme: 'dark' | 'light'
  width: 1280 | 390
  height: number
}

const wide = { theme: 'dark', width: 1280 } as const

/** The pictures of README and docs. Their texts for those who do not see them are beside them. */
export const documentPictures: readonly DocumentPicture[] = [
  { ...wide, name: 'home', path: '/', height: 800 },
  { ...wide, name: 'stacks', path: '/stacks', height: 640 },
  { ...wide, name: 'stack', path: '/stacks/photos', ready: '.sparkline', height: 600 },
  { ...wide, name: 'plan', path: '/stacks/photos/deploy', ready: '.diff', height: 880 },
  { ...wide, name: 'logs', path: '/logs?stacks=photos', ready: '.log-text', height: 560 },
  { ...wide, name: 'phone', path: '/', width: 390, height: 780 },
]
