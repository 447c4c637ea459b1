import { Alert, Button, Checkbox } from 'antd'
import { useState } from 'react'
import { LockButton } from '../core/parts/buttons.tsx'
import { notify } from '../core/service/notice.tsx'
import { saveFile } from '../core/service/object-address.ts'

/** The recovery codes, which are shown this once: to be copied or kept as a file before one goes on. */
export function RecoveryCodes({
  codes,
  username,
  onDone,
}: {
  codes: readonly string[]
  username: string
  onDone: () => void
}) {
  const [isKept, setKept] = useState(false)
  const text = [`第二课堂管理平台 ${username} 的恢复码，每个只能用一次：`, ...codes].join('\n')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      notify('success', '恢复码已复制')
    } catch {
      notify('warning', '浏览器不允许复制，请选中后手动复制')
    }
  }
  const save = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain;charset=utf-8' }), `恢复码-${username}.txt`)
  return (
    <section aria-label="恢复码">
      <h2>请保存恢复码</h2>
      <Alert
        type="warning"
        showIcon
        title="动态口令已启用。手机丢失时，可用下面的恢复码代替口令登录，每个只能用一次；离开本页后不再显示。"
      />
      <ol className="factor-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="factor-keep">
        <Button onClick={() => void copy()}>复制</Button>
        <Button onClick={save}>保存为文件</Button>
        <Checkbox checked={isKept} onChange={(event) => setKept(event.target.checked)}>
          我已妥善保存
        </Checkbox>
      </div>
      <div className="form-foot">
        <LockButton type="primary" disabled={!isKept} onClick={onDone}>
          完成
        </LockButton>
      </div>
    </section>
  )
}
