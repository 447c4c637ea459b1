import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
const root = fileURLToPath(new URL('..', import.meta.url))
const { releaseContents } = (await import(new URL('./release-contents.mjs', import.meta.url).href)) as {
  releaseContents: string[]
}

const isPacked = (path: string): boolean =>
  releaseContents.some((each) => path === each || path.startsWith(`${each}/`)) && existsSync(join(root, path))

test('what a page of a release links to is in the release', () => {
  const pages = releaseContents
    .flatMap((each) =>
      statSync(join(root, each)).isDirectory()
        ? readdirSync(join(root, each), { recursive: true, encoding: 'utf8' }).map((at) => join(each, at))
        : [each],
    )
    .filter((path) => path.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(20)
  const links = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to]) => ({
      page,
      to: join(dirname(page), to!).replace(/\/$/, ''),
    })),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ to }) => !isPacked(to))).toEqual([])
})
