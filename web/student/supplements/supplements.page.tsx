import { Link } from 'react-router'
import { ownSupplementApi } from '../../../contract/student/supplements.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { Chip, LinkRow } from '../parts/pieces.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { useOpens } from '../parts/use-opens.ts'
import { supplementTone } from '../parts/supplement-words.ts'
import { usePages } from '../parts/use-pages.ts'

/** The student's supplement records, the latest first, with how far each is. */
export function SupplementsPage() {
  const list = usePages(ownSupplementApi.list)
  const mayAdd = useOpens('/supplements/new')
  return (
    <Page
      title="我的补录"
      foot={
        mayAdd && (
          <Link className="s-button s-primary" to="/supplements/new">
            新增补录
          </Link>
        )
      }
    >
      <PagesList
        of={list}
        empty={mayAdd ? '还没有补录。竞赛、证书、志愿等系统外的经历，可以在这里申报学时。' : '没有补录'}
      >
        {(row) => (
          <li key={row.lisId}>
            <LinkRow
              to={`/supplements/${row.lisId}`}
              title={row.lisName}
              note={
                row.refuseReason || (
                  <>
                    {row.lsName}，{row.lisHours} 学时，<span className="s-whole">{row.lisObtainDate}</span>
                  </>
                )
              }
              mark={<Chip tone={supplementTone(row.lisStatus)}>{labelOf('sup_status', row.lisStatus)}</Chip>}
            />
          </li>
        )}
      </PagesList>
    </Page>
  )
}
