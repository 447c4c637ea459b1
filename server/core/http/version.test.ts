import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { testDatabase, asOwner } from '../../testing/database.ts'
import { sql } from 'kysely'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

test('the service tells its version, the schema of its database and its Node, and nothing else', async () => {
  const { address } = await testApp()
  await testDatabase()
  const schema = await asOwner(
    async (db) =>
      (await sql<{ name: string }>`select max(name) "name" from kysely_migration`.execute(db)).rows[0]?.name,
  )
  const answer = await fetch(`${address}/api/version`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toEqual({ version, commit: null, builtAt: null, schema, node: process.versions.node })
})

test('the description of the API names the same version', async () => {
  const { address } = await testApp()
  const document = (await (await fetch(`${address}/api/docs/openapi.json`)).json()) as { info: { version: string } }
  expect(document.info.version).toBe(version)
})
