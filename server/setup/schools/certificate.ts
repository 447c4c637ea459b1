import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import about from '../../../package.json' with { type: 'json' }
import type { Removal } from './remove.ts'

/**
 * Writes what is on record of a removal, for programs and for people, beside the archive of the school. Written again,
 * it says the same.
 * @returns the paths
 */
export async function writeCertificate(removal: Removal, place: string): Promise<string[]> {
  const rows = Object.values(removal.counts).reduce((sum, count) => sum + count, 0)
  const said = { format: 1, kind: 'school-removal', program: about.version, ...removal, rows }
  const sha256 = createHash('sha256').update(canonicalize(said)!).digest('hex')
  const name = `removal-${removal.schoolId}-${removal.endTime.replace(' ', '_').replaceAll(':', '-')}`
  const [json, text] = [join(place, `${name}.json`), join(place, `${name}.txt`)]
  const options = { mode: 0o600, flush: true }
  await writeFile(json, `${JSON.stringify({ ...said, sha256 }, null, 1)}\n`, options)
  await writeFile(text, textOf(removal, rows, sha256), options)
  return [json, text]
}

const textOf = (
  { schoolId, name, startTime, endTime, removedBy, archive, files, counts }: Removal,
  rows: number,
  sha256: string,
): string => `学校数据删除证明

学校：${name}（${schoolId}）
删除：${startTime} 开始，${endTime} 完成
操作人：${removedBy}
删除前的归档：${archive.name}（写于 ${archive.time}），manifest.json 的 SHA-256：${archive.sha256}
文件：${files} 个
数据：${rows} 行，各表如下
${Object.entries(counts)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([table, count]) => `  ${table}　${count}`)
  .join('\n')}

安装中的备份在保存期满之前仍含该校数据。
同名 .json 内容（规范化，RFC 8785，去掉 sha256 字段）的 SHA-256：${sha256}
`
