package embedded

import (
	"strings"
)

// handler answers one command. Its fields are the arguments it knows; false marks one that is accepted only when it
// asks for nothing. Without a map every argument is accepted: greetings gain fields with every driver.
type handler struct {
	run    func(*command) error
	fields map[string]bool
}

// commands is everything the server can do.
var commands = commandTable()

func commandTable() map[string]handler {
	table := map[string]handler{}
	const query = "filter sort projection skip limit batchSize singleBatch hint allowDiskUse noCursorTimeout " +
		"allowPartialResults -tailable -awaitData -oplogReplay -returnKey -showRecordId -min -max -collation -let"
	for _, row := range []struct {
		names, fields string
		run           func(*command) error
	}{
		{"hello isMaster ismaster", "*", hello},
		{"ping endSessions killSessions", "", func(*command) error { return nil }},
		{"buildInfo buildinfo", "", buildInfo},
		{"find", query, find},
		{"getMore", "collection batchSize", getMore},
		{"killCursors", "cursors", killCursors},
		{"insert", "documents ordered bypassDocumentValidation", insert},
		{"update", "updates ordered bypassDocumentValidation -let", update},
		{"delete", "deletes ordered -let", remove},
		{"findAndModify findandmodify", "query sort remove update new fields upsert hint bypassDocumentValidation -arrayFilters -collation -let", findAndModify},
		{"aggregate", "pipeline cursor allowDiskUse hint bypassDocumentValidation -explain -collation -let", aggregate},
		{"count", "query limit skip hint fields -collation", count},
		{"distinct", "key query hint -collation", distinct},
		{"createIndexes", "indexes commitQuorum ignoreUnknownIndexOptions", createIndexes},
		{"listIndexes", "cursor", listIndexes},
		{"dropIndexes deleteIndexes", "index", dropIndexes},
		{"listCollections", "filter nameOnly authorizedCollections cursor", listCollections},
		{"listDatabases", "filter nameOnly authorizedDatabases", listDatabases},
		{"drop", "", drop},
		{"dropDatabase", "", dropDatabase},
		{"explain", "verbosity", explain},
		{"backup", "", backup},
	} {
		var fields map[string]bool
		if row.fields != "*" {
			fields = map[string]bool{}
		}
		for _, f := range strings.Fields(strings.Trim(row.fields, "*")) {
			name, refused := strings.CutPrefix(f, "-")
			fields[name] = !refused
		}
		for _, name := range strings.Fields(row.names) {
			table[name] = handler{row.run, fields}
		}
	}
	return table
}
