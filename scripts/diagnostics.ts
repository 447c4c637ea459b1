import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { zipStream } from '../server/core/base/zip.ts'
import { parseConfig } from '../server/core/base/config.ts'
import { joinRunning } from '../server/core/postgres/embedded.ts'
import { migrations } from '../server/migrations/index.ts'
import { diagnosticEntries } from '../server/school/runtime/diagnostics.service.ts'
import { openServices } from '../server/setup/open-services.ts'

/**
 * npm run diagnostics [file]: the bundle of the screen 运行状态, also where nobody can sign in. Nothing of people. Unless
 * a file is named it lies in the data folder: the service writes nowhere else.
 */
const config = parseConfig(process.env)
const stamp = new Date().toISOString().slice(0, 16).replace(/\D/g, '')
const name = process.argv[2] ?? join(config.dataDir, `diagnostics-${stamp}.zip`)
const opened = await openServices(config, console.log, joinRunning(config.dataDir) ?? undefined)
try {
  const entries = await diagnosticEntries(opened.services, Object.keys(migrations).at(-1)!)
  await pipeline(zipStream(entries, new Date()), createWriteStream(name, { mode: 0o600 }))
  console.log(`诊断包已写入 ${name}，不含个人信息和密钥`)
} finally {
  await opened.close()
}
