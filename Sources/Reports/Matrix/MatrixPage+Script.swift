extension MatrixPage {
    /// Adds filters, sorting and folding to the finished table.
    static let script = #"""
        (() => {
          const table = document.getElementById('matrix'), form = document.getElementById('controls');
          const find = id => document.getElementById(id);
          const rows = [...table.querySelectorAll('tbody.behaviour')], areas = [...table.querySelectorAll('tbody.area')];
          const original = [...table.tBodies], heads = [...table.tHead.rows[0].cells];
          const rank = { wrong: 0, partly: 1, varies: 2, right: 3, cannot: 4, noResult: 5 };
          const isBad = state => state === 'wrong' || state === 'partly';
          const cells = body => [...body.rows[0].cells].slice(1);
          const shown = body => cells(body).filter(cell => !cell.hidden).map(cell => cell.dataset.s);
          const title = body => body.querySelector('.title').textContent;
          const text = new Map(rows.map(body => [body, body.textContent.toLowerCase()]));
          const bad = body => shown(body).filter(isBad).length;
          let column = 0, direction = 'none';

          document.documentElement.classList.add('js');
          form.hidden = false;
          form.addEventListener('submit', event => event.preventDefault());

          const toggle = (body, open) => {
            body.classList.toggle('open', open);
            body.querySelector('.more').setAttribute('aria-expanded', String(open));
          };
          for (const body of rows) {
            const label = body.querySelector('.title'), button = document.createElement('button');
            button.type = 'button'; button.className = 'more'; button.setAttribute('aria-expanded', 'false');
            label.replaceWith(button); button.append(label);
            button.addEventListener('click', () => toggle(body, !body.classList.contains('open')));
          }

          const arrange = () => {
            const order = find('order').value;
            let list = original;
            if (column > 0) {
              const sign = direction === 'ascending' ? 1 : -1;
              list = rows.slice().sort((a, b) => sign * (rank[cells(a)[column - 1].dataset.s] - rank[cells(b)[column - 1].dataset.s]));
            } else if (order === 'title') {
              list = rows.slice().sort((a, b) => title(a).localeCompare(title(b)));
            } else if (order === 'bad') {
              list = rows.slice().sort((a, b) => bad(b) - bad(a));
            }
            const flat = list !== original;
            for (const area of areas) area.classList.toggle('flat', flat);
            if (flat) for (const area of areas) area.remove();
            table.append(...list);
            heads.forEach((head, index) => {
              if (index > 0) head.setAttribute('aria-sort', index === column ? direction : 'none');
            });
          };

          const filter = () => {
            const wanted = find('search').value.trim().toLowerCase(), area = find('area').value, show = find('show').value;
            let count = 0;
            for (const body of rows) {
              const states = shown(body), judged = states.filter(state => state !== 'cannot' && state !== 'noResult');
              const isShown = text.get(body).includes(wanted) && (!area || body.dataset.area === area)
                && (!show || (show === 'differ' ? new Set(judged).size > 1 : show === 'bad' ? states.some(isBad) : states.includes(show)));
              body.hidden = !isShown;
              if (isShown) count += 1;
            }
            for (const area of areas) {
              const name = area.textContent.trim();
              area.hidden = !rows.some(body => !body.hidden && body.dataset.area === name);
            }
            find('count').value = count + ' of ' + rows.length + ' behaviours';
          };

          heads.forEach((head, index) => {
            if (index === 0) return;
            const label = head.querySelector('.client'), button = document.createElement('button');
            button.type = 'button'; button.className = 'sort'; button.title = 'Sort by this client';
            label.replaceWith(button); button.append(label);
            head.setAttribute('aria-sort', 'none');
            button.addEventListener('click', () => {
              if (column !== index) { column = index; direction = 'ascending'; }
              else if (direction === 'ascending') direction = 'descending';
              else { column = 0; direction = 'none'; }
              arrange();
            });
          });

          find('order').addEventListener('change', () => { column = 0; direction = 'none'; arrange(); });
          for (const id of ['search', 'area', 'show']) find(id).addEventListener('input', filter);
          find('expand').addEventListener('click', event => {
            const open = event.currentTarget.getAttribute('aria-pressed') !== 'true';
            event.currentTarget.setAttribute('aria-pressed', String(open));
            event.currentTarget.textContent = open ? 'Hide all scenarios' : 'Show all scenarios';
            for (const body of rows) toggle(body, open);
          });
          for (const box of form.querySelectorAll('input[name=client]')) {
            box.addEventListener('change', () => {
              for (const row of table.rows) {
                if (row.cells.length > 1) row.cells[Number(box.value)].hidden = !box.checked;
              }
              filter();
              if (find('order').value === 'bad') arrange();
            });
          }
          filter();
        })();
        """#
}
