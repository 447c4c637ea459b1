import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { backupCommands } from '../../testing/backup.ts'
import { addressOf, programs } from '../../testing/program.ts'

vi.setConfig({ testTimeout: 180_000 })

const { dataDir, launch } = programs({
  DEMO_STUDENTS: '0',
  SCHOOL_ID: 's1',
  SCHOOL_NAME: '测试学校',
  ADMIN_PASSWORD: 'Start-Test-92',
})
const { folder, run } = await backupCommands()

/** nobody */
const service = 65_534

test('what root backs up for a service of another user is that user’s, who can read and clear it away', async () => {
  const place = join(folder, 'place')
  mkdirSync(place)
  // an ordinary user has nobody else to write for
  if (process.getuid?.() === 0) for (const each of [place, dataDir]) chownSync(each, service, service)
  await addressOf(launch())
  for (const at of [1, 2]) {
    expect(await run(['backup', place], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    const made = readdirSync(place, { recursive: true, encoding: 'utf8' })
    expect(made.filter((path) => path.endsWith('manifest.json'))).toHaveLength(at)
    expect(made.filter((path) => statSync(join(place, path)).uid !== statSync(place).uid)).toEqual([])
  }
})
