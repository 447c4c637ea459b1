import { Button, Modal } from 'antd'
import { useState } from 'react'
import { registrationApi, type RegistrationRow } from '../../../contract/programme/lessons/registration.calls.ts'
import type { Work } from '../../../contract/programme/lessons/works.ts'
import type { Column } from '../../core/list/columns.tsx'
import { FileList } from '../../core/parts/file-list.tsx'

/** What a participant has handed in, to be looked at in place; of courses that ask for works. */
export const workColumn = {
  title: '成果',
  dataIndex: 'work',
  width: 96,
  render: (work: Work | null, { suiName }: RegistrationRow) =>
    work ? <Handed work={work} suiName={suiName} /> : <span className="nothing">未提交</span>,
} satisfies Column<RegistrationRow>

function Handed({ work: { text, files, time }, suiName }: { work: Work; suiName: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button type="link" size="small" onClick={() => setOpen(true)}>
        {files.length > 0 ? `查看（${files.length} 个文件）` : '查看'}
      </Button>
      {isOpen && (
        <Modal open title={`${suiName}的成果`} footer={null} width={640} onCancel={() => setOpen(false)}>
          <p className="nothing">{`提交于 ${time.slice(0, 16)}`}</p>
          {text && <p className="work-text">{text}</p>}
          {files.length > 0 && (
            <FileList
              files={files.map(({ id, name, kind }) => ({ id, name, note: kind === 'image' ? '图片' : '文件' }))}
              view={registrationApi.workFile}
            />
          )}
        </Modal>
      )}
    </>
  )
}
