// BookBuilding
